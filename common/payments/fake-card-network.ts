/** The publishable key of the stand-in for the card network, by which the portal knows whose card form to show. */
export const standInKey = 'pk_test_standin'
