/** The publishable key of the fake card network, by which the portal chooses its card form. */
export const fakeCardKey = 'pk_test_standin'
