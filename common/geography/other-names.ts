/** Common country names that Intl lacks, in all languages. */
const table = `
US usa eeuu ee.uu u.s.a estados_unidos etats-unis stati_uniti
GB uk united_kingdom england inglaterra angleterre inghilterra scotland escocia ecosse scozia great_britain gran_bretana
NL holland holanda hollande olanda
CZ czech_republic republica_checa republique_tcheque repubblica_ceca
TR turkey turquia turquie turchia
AE emiratos emirates emiratos_arabes
RU russia rusia russie
KR south_korea corea_del_sur coree_du_sud corea_del_sud coreia_do_sul
CV cape_verde cabo_verde cap-vert capo_verde
CI ivory_coast costa_de_marfil
DO republica_dominicana dominican_republic republique_dominicaine repubblica_dominicana
TZ tanzania tanzanie
VN viet_nam`

/** The names by country code, normalised: no accents, single spaces. */
export const otherCountryNames: ReadonlyMap<string, string[]> = new Map(
  table
    .trim()
    .split('\n')
    .map(line => {
      const [country = '', ...called] = line.split(' ')
      return [country, called.map(name => name.replaceAll('_', ' '))]
    }),
)
