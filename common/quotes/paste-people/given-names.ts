import { plainly } from '../paste/text.ts'

/** Common given names in the five languages, without accents. They tell given names from surnames. */
const names = `
aaron abel abigail abril adela adele adelaide adelina adrian adriana adriano adrien afonso agata agathe agnes agostinho agustin aida aidan
aina ainhoa ainara aitana aitor alain alan alba albert alberta alberto alejandra alejandro alessandra alessandro alessia alessio alex
alexander alexandra alexandre alexia alexis alfonso alfred alfredo alice alicia alison alma almudena alvaro amadeo amalia amanda amandine
amaya ambra amelia amelie amparo amy ana anabel anais andre andrea andreia andres andrew angel angela angeles angelica angelina angelo
angus anita anna annabel anne annie antoine antoinette anton antonella antonia antonio araceli ariadna ariana arianna ariane arlette
armand armando arnaud arthur artur arturo ashley asier astrid asuncion audrey aurelia aurelie aurelien aurora ava axel aoife barbara
bartolome bastien beatrice beatriz begona belen ben benedetta benedicte benedita benito benjamin benoit bernadette bernardo berta bianca
blanca blanche borja brandon brenda brian brigida brigitte bruna bruno bryan caio camila camilla camille candela caridad carla carlo
carlos carlota carme carmela carmelo carmen carol carolina caroline carolyn casimiro catalina catarina caterina catherine cathy cecile
cecilia celestino celia celine cesar chantal charles charlie charlotte chiara chloe christian christiane christina christine christopher
ciara cintia ciro claire clara clarisse claude claudia claudine claudio clement clemente clementine cloe colette colin conor concepcion
concetta conchita constance consuelo corentin corinne cosimo cristian cristiana cristiano cristina cristobal cynthia damian damien daniel
daniela daniele danielle danilo dario david davide deborah delphine denis denise derek desiree diana didier diego dieter dimas diogo
dolores dominic dominique donatella donna donato doris dorothy duarte dulce duncan dylan edgar edith edoardo eduarda eduardo edward edwige
eileen elena eleonora eleonore elia elias elisa elisabete elisabeth elisabetta elise eliseo elizabeth ella ellen eloisa elodie elsa elvira
emanuela emanuele emil emilia emiliano emilie emilio emily emma emmanuel emmanuelle encarnacion enric enrica enrico enrique enzo eric
erica erik ernest ernesto estefania esteban estela estelle ester esther estrella ethan etienne eugenia eugenie eugenio eulalia eva evan
evelyn ezequiel fabien fabienne fabio fabiola fabrice fabrizio fanny fatima federica federico felicia felicidad felipe felix ferdinando
fermin fernanda fernando ferran filipa filipe filippo filomena fiona flavia flavio flora florence florian florent fortunato franc franca
france francesc francesca francesco francine francis francisca francisco franck francois francoise frank frederic frederico fred gabriel
gabriela gabriele gabriella gael gaelle gaetano gaia galileo garance gareth gary gaston gema gemma genevieve george georges georgia
georgina gerald gerard gerardo germana germain geraldine giacomo giada gianluca gianni gilbert gilberto gilles gina gino giorgia giorgio
giovanna giovanni gisele giulia giuliana giuliano giulio giuseppe giuseppina gladys glenn gloria goncalo gonzalo grace graca graciela
graham gregoire gregorio gregory greta guadalupe guido guilherme guillaume guillem guillermo gustavo gwenaelle hannah harold harriet harry
harvey hector heitor helen helena helene heloise henri henrique henry herve hilario hilda holly hortense hugh hugo humberto ian iban ibon
ida ignacio igor iker ilaria imanol immaculada inaki ines inma inmaculada ioana irene iria iris irma isaac isabel isabela isabella
isabelle isidro isla ismael itziar ivan ivo ivone jack jacinto jackie jacob jacqueline jacques jade jaime jake james jamie jan jane janet
janice jaume javier jean jeanne jeannine jeff jeffrey jennifer jeremy jerome jessica jesus jill jim jimena joan joana joanna joanne joao
joaquim joaquin joel joelle johanna john jonathan jordan jordi jorge josefa josefina josep joseph josephine josette joshua josiane
joseluis jose josue joyce juan juana juanjo judit judith jules julia julian juliana julie julien juliette julio julius justin justine
karen karim karina karine karl kate katherine kathleen katia kayla keith kelly ken kenneth kevin kieran kim kimberly kyle laetitia laia
lara larissa laura laure laurence laurent lautaro lea leah leandro leila leire lena leo leon leonard leonardo leonie leonor leopoldo
leticia letizia lia liam lidia lila lilia liliana liliane lilly lily lina linda lionel lisa livia loic lola lope lorena lorenza lorenzo
loretta loris lorraine louis louisa louise lourdes luana luc luca lucas luce lucia luciana luciano lucie lucien luciana lucilia lucrecia
lucy ludovic ludovica luigi luis luisa luiz luiza luke luz lydia lynn mabel mada madalena maddalena madeleine mael mafalda magali magda
magdalena maite manel manon manuel manuela mar marc marcela marcella marcello marcelo marcia marcio marco marcos margaret margarida
margarita margaux margherita margot marguerite maria mariana marianne mariano maribel marie marilena marina marine mario marion marisa
marisol marta martha martim martina martine mary massimiliano massimo mateo mateus mathieu mathilde mathis matias matilde matt matteo
matthew matthieu maud maura maureen maurice mauricio maurizio mauro max maxime maximo maya megan melanie melissa mercedes merce mia
michael michaela michel michela michele micheline michelle miguel mikel mila milagros milena mireia mireille miriam mohamed moises molly
monica monika monique montse montserrat muriel myriam nadege nadia nadine naia nancy naomi natacha natalia natalie nathalie nathan
nathaniel nazareth neil nelson nerea neus niamh nicholas nicola nicolas nicole nicoletta nicolo nieves nil nina noa noah noel noelia
noelle noemi nora norma nuno nuria octavia octavio odette odile oihane olga oliver olivia olivier omar oriol orlando oscar osvaldo pablo
pamela paloma paola paolo pascal pascale pasquale patrice patricia patricio patrick patrizia pau paul paula paulette paulina pauline paulo
pedro peggy penelope pere peter petra philip philippe phoebe piedad pier pierre piero pietro pilar priscila purificacion quentin quim
quique rachel raffaele raffaella rafael rafaela rafaelle raimundo ramiro ramon raphael raquel raul rebeca rebecca regina regine reinaldo
remedios remi remy renata renato rene renee ricardo riccardo richard rita robert roberta roberto robin robson rocco rocio rodolfo rodolphe
rodrigo roger roland rolando romain romane romeo romina romualdo ronald rosa rosalia rosario rosaria rosana rosanna rosaura rose rosemary
rosie ross rossella roxana roxane ruben rufino rui ruth ryan sabina sabine sabrina salome salvador salvatore sam samantha samira samuel
samuele sandra sandrine sandro santi santiago sara sarah saul scott sean sebastian sebastien sebastiao sergi sergio severine sharon sheila
silvana silvia silvio silvina simao simon simona simone siobhan sofia sol solange soledad sonia sonsoles sophia sophie agustina annamaria
antonietta assunta bethany celeste conceicao domenica domenico filippa ginevra grazia guilhermina hilary immacolata kirsty loredana
lucrezia ludmila lurdes mariagrazia mariateresa ornella pia rosalba shirley tiziana tracey vitoria stefania stefano stella stephane
stephanie stephen steve steven stuart susan susana susanna suzanne suzy sylvain sylvia sylvie tamara tania tatiana telma teo teofilo
teresa terence terry thais thea theo theodore therese thibault thierry thomas tiago tiffany tim timothy tina tom tomas tomaso tommaso toni
tony tracy tristan ugo umberto unai urbano ursula valentin valentina valentine valentino valeria valerie valerio vanesa vanessa vasco vera
veronica veronique vicenta vicente victor victoria victorine vincent vincenzo violeta violette virginia virginie vitor vittoria vittorio
vivian viviana viviane walter
wendy wilfredo william xabier xavi xavier ximena xoan yago yann yannick yasmina yolanda yolande yves yvette yvonne zacarias zoe
zoraida zulema`

const given = new Set(names.trim().split(/\s+/))

/** Given names that are also common surnames, and so do not show where the surnames begin. */
const alsoSurnames = new Set(
  `alonso andres bastien benito bernardo blanca bruno clemente conde cristobal duarte esteban fermin ferran ferrer felix franco gaspar gil
  guillen guillem jordan julian laurent leon lope lopes lorenzo marcos marin mariano martin martim mateo mateos matias nicolas pascal
  pascual ramiro ramon ramos roman romeo salvador santiago santos scott simon soler taylor thomas tomas valentin vera vicente vidal
  vincent`
    .trim()
    .split(/\s+/),
)

/** True for a given name, in one word or two: Marie-Claire. */
export const isGiven = (word: string): boolean => {
  const plain = plainly(word)
  return given.has(plain) || /^m\.?ª$/.test(plain) || (plain.includes('-') && plain.split('-').every(part => given.has(part)))
}

export const mayBeSurname = (word: string): boolean => alsoSurnames.has(plainly(word))
