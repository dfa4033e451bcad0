import { expect, test } from 'vitest';
import { operatorHref } from './operator-href.ts';

test.each([
  ['/dashboard/sandbox/invoices/inv_1?a=b', '/operator/merchants?environment=sandbox&q=inv_1'],
  ['/dashboard/production/callbacks/inv_1', '/operator/merchants?environment=production&q=inv_1'],
  ['/dashboard/sandbox/invoices/new', '/operator'],
  ['/dashboard/other/invoices/inv_1', '/operator'],
  ['', '/operator'],
])('of %s an operator is led to %s', (asked, href) => {
  expect(operatorHref(asked)).toBe(href);
});
