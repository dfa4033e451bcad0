import { expect, it } from 'vitest';
import { keptReturnPath, safeReturnPath } from './return-path.ts';

it('back to the screen that asked for the sign-in, with its filters', () => {
  const path = '/dashboard/sandbox/invoices?status=PAID&q=a%20b';
  expect(safeReturnPath(path)).toBe(path);
});

it.each(['invoices', 'audit-log'])(
  'to the list itself, with its filters, where a file of the %s was asked for',
  (list) => {
    const path = `/dashboard/production/${list}`;
    expect(safeReturnPath(`${path}/export?q=a&zone=UTC`)).toBe(`${path}?q=a&zone=UTC`);
    expect(safeReturnPath(`${path}/export`)).toBe(path);
    const kept = `https://pay.example${path}/export?q=a`;
    expect(keptReturnPath({ 'next-auth.callback-url': kept })).toBe(`${path}?q=a`);
  },
);

it('as a header can hold it, though somebody wrote it by hand', () => {
  expect(safeReturnPath('/dashboard/sandbox/invoices?q=чай 1')).toBe(
    '/dashboard/sandbox/invoices?q=%D1%87%D0%B0%D0%B9%201',
  );
});

it('back to the operator’s pages', () => {
  for (const path of ['/operator', '/operator/merchants?q=coffee']) {
    expect(safeReturnPath(path)).toBe(path);
  }
  expect(safeReturnPath('/operators')).toBe('/dashboard');
});

it.each([
  'https://evil.example/dashboard/sandbox',
  '//evil.example/dashboard/sandbox',
  '/dashboard/sandbox//evil.example',
  '/dashboard/sandbox/../../pay/inv_1',
  '/dashboard/sandbox\\evil.example',
  '/dashboard',
  '/pay/inv_1',
  'javascript:alert(1)',
  ['/dashboard/sandbox'],
  undefined,
])('to the beginning for %j', (next) => {
  expect(safeReturnPath(next)).toBe('/dashboard');
});

it('after a provider’s refusal to where next-auth was to lead', () => {
  const kept = 'https://pay.example/dashboard/sandbox/team?q=a';
  for (const name of ['next-auth.callback-url', '__Secure-next-auth.callback-url']) {
    expect(keptReturnPath({ [name]: kept })).toBe('/dashboard/sandbox/team?q=a');
  }
});

it.each(['', 'nonsense', 'https://evil.example/elsewhere', 'javascript:alert(1)'])(
  'to the beginning for the kept %j',
  (kept) => {
    expect(keptReturnPath({ 'next-auth.callback-url': kept })).toBe('/dashboard');
  },
);
