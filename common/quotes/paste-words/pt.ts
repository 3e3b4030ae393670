import type { PasteWords } from './words.ts'

export const pt: PasteWords = {
  frequent:
    'o, os, do, da, em, e, com, seu, sua, ao, dias, noites, partida, regresso, viagem, reserva, voo, ida, volta, caro, estimado, no, pessoas',
  months:
    'janeiro jan, fevereiro fev, marco mar, abril abr, maio mai, junho jun, julho jul, agosto ago, setembro set, outubro out, novembro nov, dezembro dez',
  weekdays: 'domingo dom, segunda seg, terca ter, quarta qua, quinta qui, sexta sex, sabado sab',
  numbers: 'um uma, dois duas, tres, quatro, cinco, seis, sete, oito, nove, dez',

  notTripDay:
    'resto, restante, cancel*, anul*, pago*, paga*, sinal, deposit*, prazo, limit*, caduc*, expir*, valid*, fatura, emit*, emis*, ofert*, promo*, encerrad*, atualiz*, enviad*, antes de, online, newsletter, ano passado',
  birth: 'nascimento, nascido, nascida',
  booked:
    'data reserva, data de reserva, data da reserva, data de compra, data da compra, reservad*, reserva efetuada, reserva feita, reserva realizada',
  start: 'ida, inicio, incio, partem, partimos, embarque, check-in',
  end: 'volta*, regress*, fim, ate, desembarque, check-out',
  leaves: 'partida, saida',
  arrives: 'chegada, chega, entrada',
  mailHead: 'data, de',
  choice: 'opcao, opcoes, alternativ*',
  rangeStart: 'de, do',
  rangeEnd: 'a, ao, ate, ate ao, ate a',
  rangeLast: 'a, ao',
  dayArticle: 'dia',
  ofMonth: 'de',

  ageGroup: 'adulto, adultos, adulta, adultas, crianca, criancas, bebe, bebes, menor, menores',
  traveller: 'pessoa, pessoas, passageiro, passageiros, viajante, viajantes, hospede, hospedes, pax',
  participant: 'participantes',
  listHead: 'dados, dados dos, nomes dos, nome dos, lista de, dos',
  partyOf: 'somos, grupo de, familia de',
  notTheCount: 'max*, ate, min*, capacidade, por, cada, outro, outra, outros, outras, desde, entre',
  orMore: 'a, ou',
  countOf: 'numero, numero de, total',
  room: 'quarto',
  rooms: 'quartos',
  years: 'ano, anos',
  age: 'idade, idades',
  relative: 'filho, filha, filhos, filhas',
  and: 'e',
  plus: 'com, mais',

  total:
    'total viagem, total da viagem, total da reserva, total pago, preco total, preco final, valor total, valor final, custo total, montante total, total a pagar',
  bareTotal: 'total, tot',
  price: 'preco, custa, custo, valor',
  per: 'por, a, cada',
  unit: 'pessoa, pers, pax, adulto, noite, dia',
  each: 'cada',
  partial:
    'subtotal, taxa, taxas, iva, pontos, pendente, restante, saldo, sinal, deposit*, desconto, seguro, franquia, noites, bagagem, extra, extras, desde, reembolso',
  amountIn: 'em, no',

  cruise: 'cruzeiro, circuito',
  from: 'saida, partida, desde, origem, orig*',
  to: 'chegada, destin*',
  going: 'viag*, voo, voos, partem, partimos, ferias, cruzeiro, circuito, vamos, lua de mel, estadia, comboio, hotel, apartamento',
  goingTo: 'a, em, para, pela, por',
  article: 'o, a, os, as',
  tripTitle: 'viagem, circuito, programa',
  titleTo: 'a, do, da, em, por',
  bookingIn: 'reserva em',
  past: 'ultim*, anterior*, passad*, estivemos',
  address: 'morada, endereco',
  lodging: 'hotel, pousada, apartamento, villa',
  night: 'noite, noites',
  stay: 'chegada, entrada, check-in, check-out',
  wayBack: 'volta, regresso',
  wayOut: 'ida',
  station: 'aeroporto, estacao',
  placeHead: 'a, em, para, de, destin*, orig*, pais, per',
  footer: 'lda, nif, rnavt, tel, telefone',
}
