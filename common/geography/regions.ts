/**
 * Names of regions in the five languages, without accents, and the countries that belong to them by code. `_` stands for a blank within a name. A
 * region is not a destination, except one within a single country.
 */
const table = `
europa europe: AL AD AT BE BA BG BY CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM UA VA XK
schengen: AT BE BG CH CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK
escandinavia scandinavia scandinavie: DK NO SE
balcanes balkans balcani balcas: AL BA BG GR HR ME MK RO RS SI XK
asia asie: AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE
sudeste_asiatico southeast_asia asie_du_sud-est sud-est_asiatico: BN ID KH LA MM MY PH SG TH TL VN
oriente_medio oriente_proximo medio_oriente middle_east moyen-orient proche-orient: AE BH IL IQ IR JO KW LB OM PS QA SA SY YE
africa afrique: AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW
magreb maghreb: DZ LY MA MR TN
america amerique americas: AG AI AR AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GT GY HN HT JM KN KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI
norteamerica america_del_norte north_america amerique_du_nord nord_america america_do_norte: CA MX US
centroamerica america_central central_america amerique_centrale america_centrale: BZ CR GT HN NI PA SV
sudamerica suramerica america_del_sur south_america amerique_du_sud sud_america america_do_sul: AR BO BR CL CO EC FK GF GY PE PY SR UY VE
caribe caribbean caraibes caraibi caraibas antillas antilles antille antilhas: AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI
oceania oceanie: AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PW SB TK TO TV VU WF WS
polinesia polynesia polynesie: PF
patagonia patagonie: AR CL
canarias islas_canarias canary_islands canaries canarie isole_canarie ilhas_canarias: ES
baleares islas_baleares balearic_islands baleari ilhas_baleares: ES
azores acores azzorre ilhas_dos_acores: PT
cerdena sardinia sardaigne sardegna sardenha: IT
sicilia sicily sicile: IT
corcega corsica corse: FR
creta crete: GR
laponia lapland laponie lapponia: FI
hawai hawaii: US
california californie: US
florida floride: US`

/** The names of regions of several countries by country code. */
export const regionNames = new Map<string, string[]>()
/** The names of regions within one country by its code. */
export const ownRegionNames = new Map<string, string[]>()

for (const line of table.trim().split('\n')) {
  const [called = '', codes = ''] = line.split(': ')
  const names = called.split(' ').map(name => name.replaceAll('_', ' '))
  const countries = codes.split(' ')
  const byCountry = countries.length > 1 ? regionNames : ownRegionNames
  for (const country of countries) byCountry.set(country, [...(byCountry.get(country) ?? []), ...names])
}

const cruises = ['crucero', 'cruise', 'croisiere', 'crociera', 'cruzeiro']

/** True for a text, without accents, that begins the word for a cruise. */
export const isCruise = (text: string): boolean => text.length > 4 && cruises.some(word => word.startsWith(text.replace(/s$/, '')))
