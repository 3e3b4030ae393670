/** The publishable key of the fake card network, by which the portal selects its card form. */
export const fakeCardKey = 'pk_test_standin'
