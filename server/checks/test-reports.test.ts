import { expect, it } from 'vitest';
import { countPlaywright, countVitest } from './test-reports.ts';

it('names the journeys that passed only when they were tried again, and those left out', () => {
  const test = (title: string, status: string) => ({ title, tests: [{ status }] });
  const suites = [
    {
      title: 'pay/cards.test.ts',
      specs: [test('is paid', 'expected'), test('is declined', 'flaky')],
      suites: [
        { title: 'a slow card', specs: [test('waits', 'skipped'), test('ends', 'unexpected')] },
      ],
    },
  ];
  expect(countPlaywright({ suites })).toEqual({
    passed: 2,
    failed: 1,
    flaky: ['pay/cards.test.ts is declined'],
    notRun: ['pay/cards.test.ts a slow card waits'],
  });
});

it('names the tests that Vitest left out', () => {
  const assertionResults = [
    { fullName: 'a', status: 'passed' },
    { fullName: 'b', status: 'skipped' },
  ];
  const report = { numPassedTests: 1, numFailedTests: 0, testResults: [{ assertionResults }] };
  expect(countVitest(report)).toEqual({ passed: 1, failed: 0, notRun: ['b'] });
});
