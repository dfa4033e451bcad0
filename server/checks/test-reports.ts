/** A test runner's results. */
export type Counts = {
  passed: number;
  failed: number;
  /** Names of skipped tests. */
  notRun?: string[];
  /** Names of tests that failed at first and passed on a retry. */
  flaky?: string[];
};

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
};

/** Reads the report of Vitest's `json` reporter. */
export function countVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests, testResults } = report as VitestReport;
  const notRun = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'skipped' || status === 'pending')
    .map(({ fullName }) => fullName);
  return { passed: numPassedTests, failed: numFailedTests, notRun };
}

type PlaywrightStatus = 'expected' | 'unexpected' | 'flaky' | 'skipped';
type PlaywrightSuite = {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; tests: { status: PlaywrightStatus }[] }[];
};
type PlaywrightReport = { suites: PlaywrightSuite[] };

/** Each test's outcome and its name, which begins with the file's. */
function outcomesOf({
  title,
  suites = [],
  specs = [],
}: PlaywrightSuite): [PlaywrightStatus, string][] {
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status }): [PlaywrightStatus, string] => [status, spec.title]),
  );
  return [...own, ...suites.flatMap(outcomesOf)].map(([status, name]) => [
    status,
    `${title} ${name}`,
  ]);
}

/**
 * Reads the report of Playwright's `json` reporter. A flaky test counts as passed: on CI's machine,
 * which can stall, tests are retried.
 */
export function countPlaywright(report: unknown): Counts {
  const outcomes = (report as PlaywrightReport).suites.flatMap(outcomesOf);
  const namesOf = (wanted: PlaywrightStatus) =>
    outcomes.filter(([status]) => status === wanted).map(([, name]) => name);
  const flaky = namesOf('flaky');
  return {
    passed: namesOf('expected').length + flaky.length,
    failed: namesOf('unexpected').length,
    notRun: namesOf('skipped'),
    flaky,
  };
}
