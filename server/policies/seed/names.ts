/** Names, the most common first. */
export const surnames = `
  García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz
  Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez
  Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano
  Prieto Méndez Cruz Calvo Gallego Vidal León Márquez Herrera Peña Flores Cabrera Campos Vega Fuentes Carrasco Díez Reyes
  Caballero Nieto Aguilar Pascual Santana Herrero Lorenzo Montero Hidalgo Giménez Ibáñez Ferrer Durán Santiago Benítez
  Mora Vicente Vargas Arias Carmona Crespo Román Pastor Soto Sáez Velasco Moya Soler Parra Esteban Bravo Gallardo Rojas
  Zubizarreta Etxeberria Bermejo Quintanilla Villanueva Urrutia
`
  .trim()
  .split(/\s+/)

export const givenNames = `
  María Antonio Carmen José Ana Manuel Isabel Francisco Laura David Cristina Juan Marta Javier Lucía Daniel Elena Carlos
  Raquel Miguel Pilar Alejandro Sara Rafael Paula Pedro Mercedes Ángel Rosa Pablo Beatriz Sergio Teresa Fernando Julia
  Jorge Silvia Luis Irene Alberto Alba Álvaro Nuria Diego Andrea Adrián Inés Raúl Noelia Iván Begoña Rubén Olga Óscar
  Amparo Ramón Eva Íñigo
`
  .trim()
  .split(/\s+/)

export const places = [
  { city: 'Madrid', state: 'Madrid', zip_code: '28001' },
  { city: 'Barcelona', state: 'Barcelona', zip_code: '08001' },
  { city: 'València', state: 'València/Valencia', zip_code: '46001' },
  { city: 'Sevilla', state: 'Sevilla', zip_code: '41001' },
  { city: 'Zaragoza', state: 'Zaragoza', zip_code: '50001' },
  { city: 'Málaga', state: 'Málaga', zip_code: '29001' },
  { city: 'Bilbao', state: 'Bizkaia', zip_code: '48001' },
]
