import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from './log.ts';
import { metrics } from './metrics.ts';
import { type Refusal, SPRAY_WINDOW_MS, SPRAYED_ACCOUNTS, tellRefusal } from './refusals.ts';

type Line = { [name: string]: unknown; unlogged?: number };

let lines: Line[] = [];
// Later than everything that earlier tests reported.
let nowMs = performance.now();
beforeEach(() => {
  lines = [];
  nowMs += 24 * 60 * 60_000;
  vi.spyOn(log(), 'warn').mockImplementation((line: unknown) => void lines.push(line as Line));
});
afterEach(() => vi.restoreAllMocks());

const PASSWORD: Refusal = {
  what: 'password',
  outcome: 'refused',
  address: '192.0.2.1',
  requestId: 'req_1',
  account: 'ann@example.com',
};

test('a line says what was refused to whom, from where and under which request, and no address of e-mail', () => {
  tellRefusal(PASSWORD, nowMs);
  tellRefusal({ ...PASSWORD, account: 'bob@example.com' }, nowMs);
  tellRefusal({ ...PASSWORD, what: 'code', outcome: 'throttled' }, nowMs);
  const [ann, bob, code] = lines;
  expect(ann).toMatchObject({ what: 'password', outcome: 'refused', address: '192.0.2.1' });
  expect(code).toMatchObject({ what: 'code', outcome: 'throttled', requestId: 'req_1' });
  expect(ann?.account).toMatch(/^[\w-]{16}$/);
  expect(code?.account).toBe(ann?.account);
  expect(bob?.account).not.toBe(ann?.account);
  expect(JSON.stringify(lines)).not.toContain('example');
});

test('of a flood of one kind the log has a part and how many it was, and of another every one', async () => {
  const counted = async () => {
    const { values } = await metrics().refusals.get();
    return values.find(({ labels }) => labels.what === 'token')?.value ?? 0;
  };
  const before = await counted();
  for (let ms = 0; ms < 10_000; ms++) {
    tellRefusal({ what: 'token', outcome: 'refused', address: '192.0.2.9' }, nowMs + ms);
  }
  expect(lines.length).toBeGreaterThan(150);
  expect(lines.length).toBeLessThan(250);
  tellRefusal({ what: 'permission', outcome: 'refused', address: '192.0.2.9' }, nowMs + 10_000);
  expect(lines.at(-1)).toMatchObject({ what: 'permission' });
  tellRefusal({ what: 'token', outcome: 'refused', address: '192.0.2.9' }, nowMs + 60_000);
  const tokens = lines.filter(({ what }) => what === 'token');
  const unlogged = tokens.reduce((sum, line) => sum + (line.unlogged ?? 0), 0);
  expect(tokens.length + unlogged).toBe(10_001);
  expect(await counted()).toBe(before + 10_001);
});

const sprays = async () => (await metrics().sprays.get()).values[0]?.value ?? 0;

/** This many wrong passwords, each for a different account. */
function spray(accounts: number, address: (nth: number) => string): void {
  for (let nth = 0; nth < accounts; nth++) {
    tellRefusal(
      { ...PASSWORD, address: address(nth), account: `a${nth}@example.com` },
      nowMs + nth,
    );
  }
}

test('passwords of many accounts from one network are told once in a window', async () => {
  const before = await sprays();
  const network = (nth: number) => `2001:db8::${nth + 1}`;
  spray(SPRAYED_ACCOUNTS - 1, network);
  expect(await sprays()).toBe(before);
  spray(SPRAYED_ACCOUNTS * 3, network);
  expect(await sprays()).toBe(before + 1);
  const told = lines.filter(({ accounts }) => accounts === SPRAYED_ACCOUNTS);
  expect(told).toEqual([{ address: '2001:db8::10', accounts: SPRAYED_ACCOUNTS }]);
  nowMs += SPRAY_WINDOW_MS;
  spray(SPRAYED_ACCOUNTS, network);
  expect(await sprays()).toBe(before + 2);
});

test('one person’s many wrong passwords are no spray, nor are those of people elsewhere', async () => {
  const before = await sprays();
  for (let nth = 0; nth < SPRAYED_ACCOUNTS * 2; nth++) tellRefusal(PASSWORD, nowMs);
  spray(SPRAYED_ACCOUNTS * 2, (nth) => `198.51.100.${nth}`);
  expect(await sprays()).toBe(before);
});
