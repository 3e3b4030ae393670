import { otherCountryNames } from './other-names.ts'

/**
 * The most frequent places of departure and arrival. Each line is a country: its code, then the places. A place has the codes of its airports (IATA)
 * and its names in the five languages without accents. `_` stands for a blank within a name. A place without an airport has `-`.
 */
const table = `
ES MAD madrid barajas; BCN barcelona barcellona barcelone el_prat; PMI palma palma_de_mallorca mallorca majorca majorque maiorca; AGP malaga; ALC alicante; VLC valencia; SVQ sevilla seville siviglia sevilha; BIO bilbao; IBZ ibiza eivissa; TFN,TFS tenerife teneriffe santa_cruz_de_tenerife; LPA gran_canaria las_palmas; ACE lanzarote; FUE fuerteventura; MAH menorca; SCQ santiago_de_compostela; GRX granada grenade; ZAZ zaragoza saragossa saragozza; XRY jerez; REU reus; GRO girona
PT LIS lisboa lisbon lisbonne lisbona; OPO oporto porto; FAO faro; FNC funchal madeira madere; PDL ponta_delgada
FR CDG,ORY,BVA paris parigi roissy orly; NCE niza nice nizza; LYS lyon lione; MRS marsella marseille marsiglia marselha; TLS toulouse; BOD burdeos bordeaux; NTE nantes; MPL montpellier; SXB strasbourg estrasburgo strasburgo; BIA bastia; AJA ajaccio; LIL lille
IT FCO,CIA roma rome fiumicino ciampino; MXP,LIN,BGY milan milano malpensa linate; VCE venecia venezia venice venise veneza; NAP napoles napoli naples; FLR florencia firenze florence florenca; BLQ bolonia bologna bologne bolonha; TRN turin torino turim; PSA pisa pise; PMO palermo palerme; CTA catania catane; CAG cagliari; BRI bari; GOA genova genoa genes; OLB olbia; - messina mesina; - livorno livourne
GB LHR,LGW,STN,LTN,LCY london londres londra heathrow gatwick stansted luton; MAN manchester; EDI edinburgh edimburgo edimbourg; BHX birmingham; GLA glasgow; LPL liverpool; BRS bristol
IE DUB dublin dublino
DE FRA frankfurt francfort francoforte; MUC munich munchen monaco_di_baviera munique; BER berlin berlino berlim; DUS dusseldorf; HAM hamburg hamburgo hambourg amburgo; CGN cologne koln colonia; STR stuttgart
NL AMS amsterdam schiphol amsterda
BE BRU,CRL brussels bruselas bruxelles bruxelas
CH ZRH zurich zurigo zurique; GVA geneva ginebra geneve ginevra genebra; BSL basel basilea bale
AT VIE vienna viena vienne wien; SZG salzburg salzburgo salisburgo
CZ PRG prague praga
HU BUD budapest budapeste
PL WAW warsaw varsovia varsovie varsavia; KRK krakow cracovia cracovie
DK CPH copenhagen copenhague copenaghen
SE ARN stockholm estocolmo stoccolma
NO OSL oslo; BGO bergen; TOS tromso
FI HEL helsinki; RVN rovaniemi
IS KEF reykjavik keflavik reikiavik
GR ATH athens atenas athenes atene; HER heraklion; JTR santorini santorin; JMK mykonos mikonos; RHO rhodes rodas rodi; CFU corfu corfou; - piraeus pireo le_piree
HR DBV dubrovnik; SPU split; ZAG zagreb zagabria
TR IST,SAW istanbul estambul istambul; AYT antalya
MT MLA valletta la_valletta la_valeta
CY LCA larnaca
RO OTP bucharest bucarest bucareste
BG SOF sofia
MA RAK marrakech marrakesh marraquexe; CMN casablanca; TNG tangier tanger tangeri; FEZ fez; AGA agadir
TN TUN tunis
EG CAI cairo el_cairo le_caire il_cairo; HRG hurghada; LXR luxor; SSH sharm_el_sheikh
IL TLV tel_aviv
JO AMM amman
AE DXB dubai; AUH abu_dhabi
QA DOH doha
KE NBO nairobi
TZ ZNZ zanzibar
ZA JNB johannesburg johannesburgo; CPT cape_town ciudad_del_cabo le_cap citta_del_capo cidade_do_cabo
MU MRU -
MV MLE male
IN DEL delhi nueva_delhi new_delhi nuova_delhi; BOM mumbai bombay
NP KTM kathmandu katmandu
LK CMB colombo
TH BKK,DMK bangkok; HKT phuket; CNX chiang_mai; USM koh_samui
VN SGN ho_chi_minh saigon; HAN hanoi
KH SAI siem_reap
ID DPS bali denpasar; CGK jakarta yakarta
SG SIN -
MY KUL kuala_lumpur
CN PEK,PKX beijing pekin pechino pequim; PVG shanghai xangai
HK HKG hong_kong
JP NRT,HND tokyo tokio toquio narita haneda; KIX osaka kansai; - kyoto kioto quioto
KR ICN seoul seul incheon
AU SYD sydney sidney; MEL melbourne
NZ AKL auckland
US JFK,EWR,LGA new_york nueva_york nova_iorque nova_york newark; LAX los_angeles; MIA miami; SFO san_francisco sao_francisco; ORD chicago; BOS boston; IAD washington; LAS las_vegas; MCO orlando
CA YUL montreal; YYZ toronto; YVR vancouver
MX MEX ciudad_de_mexico mexico_city; CUN cancun riviera_maya playa_del_carmen
CU HAV havana la_habana la_havane l'avana
DO PUJ punta_cana; SDQ santo_domingo
CR SJO -
PA PTY panama_city ciudad_de_panama
CO BOG bogota; CTG cartagena_de_indias
PE LIM lima; CUZ cusco cuzco
BR GIG,SDU rio_de_janeiro; GRU,CGH sao_paulo; SSA salvador_de_bahia
AR EZE,AEP buenos_aires ezeiza
CL SCL santiago_de_chile
CV SID ilha_do_sal; RAI praia_cabo_verde
TR NAV cappadocia capadocia cappadoce`

export type City = { country: string; codes: string[] }

/** Names of places as a text contains them, with a blank between words. */
export const cityNames = new Map<string, City>()
export const airportCodes = new Map<string, City>()
export const moreCountryNames = new Map<string, string>()

const names = (words: string[]): string[] => words.map(word => word.replaceAll('_', ' ')).filter(name => name !== '-')

for (const line of table.trim().split('\n')) {
  const country = line.slice(0, 2)
  for (const place of line.slice(3).split('; ')) {
    const [codes = '', ...called] = place.split(' ')
    const city = { country, codes: codes === '-' ? [] : codes.split(',') }
    for (const code of city.codes) airportCodes.set(code, city)
    for (const name of names(called)) cityNames.set(name, city)
  }
}
for (const [country, called] of otherCountryNames) for (const name of called) moreCountryNames.set(name, country)
