/** Mocha's root suite, which outlives every other: what suites of one run share is stopped at its end. */
export function rootSuite(suite: Mocha.Suite): Mocha.Suite {
  return suite.parent === undefined ? suite : rootSuite(suite.parent);
}
