import type { PasteWords } from './words.ts'

export const es: PasteWords = {
  frequent:
    'el, los, las, del, y, su, con, para, por, una, usted, noches, salida, vuelta, viaje, reserva, fecha, ida, vuelo, estimado, personas, hola',
  months:
    'enero ene, febrero feb, marzo mar, abril abr, mayo may, junio jun, julio jul, agosto ago, septiembre setiembre sept sep, octubre oct, noviembre nov, diciembre dic',
  weekdays: 'domingo dom, lunes lun, martes mar, miercoles mie, jueves jue, viernes vie, sabado sab',
  numbers: 'un uno una, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez',

  notTripDay:
    'resto, restante, cancel*, anul*, pago*, paga*, pagu*, saldo, deposit*, anticipo, vencimiento, limit*, caduc*, expir*, valid*, vigen*, factura, emis*, emit*, ofert*, promo*, descuento, cerrad*, horario, pasaporte, dni, actuali*, enviad*, desde hace, antes de, antes del, online, newsletter, ano pasado',
  birth: 'nacimiento, nacim.*, nacido, nacida, nacio, nac., f. nac, f.nac, f. nacim, f.nacim',
  booked:
    'fecha reserva*, fecha de reserva*, fecha de la reserva*, fecha de compra, fecha de la compra, fecha de pedido, fecha del pedido, reservad*, reservamos, reserve en, reserva realizada, reserva hecha, reserva efectuada, compra realizada, comprad*',
  bookedOf: 'reserva del, reserva de, compra del, compra de, inscripcion del',
  start: 'ida, nos vamos, check-in, checkin, inicio, comienz*, empieza, viajar, viajan, viajamos, salen, salimos, vuelan, embarque',
  end: 'vuelve, vuelta, volver, vuelven, volvemos, regres*, check-out, checkout, fin, hasta, desembarque',
  leaves: 'salida, sale',
  arrives: 'llegada, llega, entrada',
  mailHead: 'fecha, de',
  nextDay: 'dia siguiente, + 1 dia, +1 dia',
  duration: 'duracion, escala, tiempo de viaje',
  choice: 'opcion*, alternativ*, o bien',
  rangeStart: 'del, de, el',
  rangeEnd: 'al, a, hasta, hasta el',
  rangeLast: 'al, a, hasta el',
  dayArticle: 'el, dia',
  ofMonth: 'de, del',

  ageGroup:
    'adulto, adultos, adulta, adultas, nino, ninos, nina, ninas, bebe, bebes, jubilad*, menor, menores, adolescente, adolescentes, peque, peques, joven, jovenes, chd, inf, adt',
  child:
    'nino, ninos, nina, ninas, bebe, bebes, menor, menores, adolescente, adolescentes, peque, peques, pequeno, pequenos, crio, crios, hijo, hija, hijos, hijas, niet*, sobrin*',
  traveller: 'persona, personas, pasajero, pasajera, pasajeros, pasajeras, viajero, viajera, viajeros, viajeras, pax, huesped, huespedes',
  participant: 'participantes',
  listHead: 'datos de, datos de los, nombre de, nombre de los, nombres de, nombres de los, lista de, lista de los, los',
  others: 'otros, los otros, otras',
  partyOf: 'somos, seremos, viajamos, familia de, grupo de',
  notTheCount: 'max*, hasta, min*, capacidad, por, cada, a partir de, otro, otra, otros, otras, desde, entre',
  orMore: 'a, o, y',
  countOf: 'numero, numero de, total',
  room: 'habitacion',
  rooms: 'habitaciones',
  years: 'ano, anos',
  age: 'edad, edades',
  relative: 'hijo, hija, hijos, hijas, mujer, marido, esposa, esposo, pareja, padre, madre, padres, suegr*, herman*, abuel*, yo',
  and: 'y, e',
  including: 'con',
  plus: 'con, mas',

  nameTitle: 'sr, sr., sra, sra., srta, srta., d, d., dª, da., don, dona, dr, dr., dra, dra.',
  listTitle: 'quien va, quienes van, quien vuela, quienes vuelan, quien viaja, quienes viajan',
  personLabel:
    'mi pareja, mi mujer, mi marido, mi esposa, mi esposo, titular, acompanante, nombre del huesped, huesped principal, a nombre de, nombre del titular, nombre del pasajero, nombre del viajero, nombre y apellidos, nombre, asegurado, tomador, a favor de, cliente',
  surnameHead: 'apellidos, apellido, primer apellido',
  givenHead: 'nombre, nombres',
  passport: 'pasaporte, pasap., pas.',
  mine: 'el mio, mi, mio, yo',
  mobile:
    'mi tlf, mi tel, movil, mi movil, celular, mi telefono, telefono de contacto, tel. titular, telefono titular, tel. cliente, telefono del cliente, tel. contacto, contacto, whatsapp, mi numero',
  telephone: 'tel, tel., telefono, tlf, tfno',
  mailbox: 'correo, correo electronico, correo de contacto, mi correo, email, e-mail, mail',
  agency: 'agencia, hotel, atencion al cliente, ayuda, reservas, mayorista, oficina, s.l., s.a., bajas, emergencias',
  signature: 'agente de viajes, agencia, viajes',
  notName:
    'nac, f, fnac, nacimiento, pasajero, pasajeros, viajero, viajeros, vuelo, vuelos, tarifa, equipaje, asiento, maleta, billete, reserva, localizador, clase, turista, precio, total, tasas, pago, contacto, datos, ida, vuelta, salida, llegada, regreso, entrada, hotel, habitacion, dni, nif, nie, rut, cpf, documento, pasaporte, nacido, nacida, fecha, correo, telefono, hola, gracias, estimado, estimada, saludos, un, una, los, las, el, la, mi, mis, yo, viaje, destino, programa, circuito, agencia, seguro, numero, codigo, estado, confirmado, confirmada, tarjeta, socio, socia, frecuente, millas',
  cancelled:
    'ha sido cancelada, ha sido cancelado, reserva cancelada, hemos cancelado, cancelacion confirmada, confirmacion de cancelacion',
  advert: 'darse de baja, date de baja, dese de baja, no quieres recibir, no desea recibir, no desea seguir recibiendo',
  reservation:
    'localizador, codigo de reserva, numero de reserva, numero de confirmacion, reserva confirmada, expediente, tu reserva, su reserva, confirmad*, billete, pasajero, pasajeros',

  total:
    'importe total, pvp, importe final, precio total, precio final, coste total, coste final, valor total, valor final, monto total, monto final, total viaje, total del viaje, total de viaje, total reserva, total de reserva, total de la reserva, total del la reserva, total a pagar, total general, total pagado',
  bareTotal: 'total, tot',
  price: 'precio, cuesta, costa, importe, valor, cost',
  per: 'por, a, cada',
  unit: 'person, persona, pers, pax, pasajero, viajero, adult, adulto, adulta, noche, dia, cabeza',
  each: 'cada persona, p/p, pp',
  partial:
    'sub-total*, subtotal*, tasa, tasas, impuestos, iva, puntos, pendiente, resto, restante, saldo, deposit*, anticipo, descuento, ahorro, seguro, franquicia, noches, equipaje, asiento, asientos, extra, extras, primer pago, cancelacion, reembolso, penal*, gastos, desde, a partir',
  amountIn: 'en',

  cruise: 'crucero, circuito',
  from: 'salida, sale, saliendo, desde, origen, orig*',
  to: 'llegada, destin*, hacia, puertos de escala, escalas',
  transit: 'escala, via, transito, conexion, enlace, cambio',
  arrival: 'llegada, llegamos, llegan, llega',
  going: 'viaj*, vuel*, estancia, vacaciones, crucero, circuito, van, vamos, ir, escapada, luna de miel, tren, hotel, apartamento',
  setOff: 'salimos, salen, salgo, vamos, viajamos, volamos',
  setOffFrom: 'de, desde',
  goingTo: 'a, al, en, por, para',
  article: 'el, la, los, las, isla de',
  tripTitle: 'viaje, circuito, programa',
  days: 'dia, dias',
  titleTo: 'a, al, de, del, en, por',
  bookingIn: 'reserva en, reserva a',
  past: 'ultim*, anterior*, pasad*, estuv*, fuimos',
  address: 'direccion',
  lodging: 'hotel, resort, apartamento, apartamentos, hostal, villa',
  night: 'noche, noches',
  stay: 'check-in, check-out, checkin, checkout, entrada',
  wayBack: 'vuelta, regreso',
  wayOut: 'ida',
  station: 'aeropuerto, estacion',
  placeHead: 'a, al, para, en, de, destin*, orig*, pais, hacia, desde',
  footer: 's.l., sl, slu, s.a., cif, c.i.f, nif, registro, licencia, agencia',
}
