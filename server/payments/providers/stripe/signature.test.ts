import fc from 'fast-check';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { isSigned } from './signature.ts';

const SECRET = 'whsec_test_secret';
const NOW_S = 1_700_000_000;
const now = new Date(NOW_S * 1_000);
const sign = (payload: string, timestamp: number, secret = SECRET) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }).split('v1=')[1] ?? '';

const isTaken = (body: string, header: string, at = now) =>
  isSigned(Buffer.from(body), header, { secret: SECRET, now: at });

/** What the Stripe package itself says. */
function isTakenByPackage(body: string, header: string): boolean {
  try {
    const { signature } = Stripe.webhooks;
    return signature?.verifyHeader(body, header, SECRET, 300, undefined, now.getTime()) ?? false;
  } catch {
    return false;
  }
}

test('the signature is that of the vector, made with openssl', () => {
  const body = '{"id":"evt_test","object":"event"}';
  const v1 = '8042376f6ca064adbe037642a718227dfd59047137eb49497a54c49eb0cfb724';
  expect(isTaken(body, `t=${NOW_S},v1=${v1}`)).toBe(true);
  expect(isTaken(body.replace(':', ': '), `t=${NOW_S},v1=${v1}`)).toBe(false);
});

test.each(['{ "a" :\n 1 }', '{"a":"\\u00e9 é \\ud83d"}', '{"amount":9007199254740993}'])(
  'the bytes count as they came: %s',
  (body) => {
    const header = `t=${NOW_S},v1=${sign(body, NOW_S)}`;
    expect(isTaken(body, header)).toBe(true);
    expect(isTaken(JSON.stringify(JSON.parse(body)), header)).toBe(
      JSON.stringify(JSON.parse(body)) === body,
    );
  },
);

test('while a secret is exchanged either signature counts; v0 never does, nor does an old one', () => {
  const v1 = sign('{}', NOW_S);
  expect(isTaken('{}', `t=${NOW_S},v1=${sign('{}', NOW_S, 'whsec_old')},v1=${v1}`)).toBe(true);
  expect(isTaken('{}', `t=${NOW_S},v0=${v1}`)).toBe(false);
  expect(isTaken('{}', `t=${NOW_S},v1=${v1}`, new Date((NOW_S + 300) * 1_000))).toBe(true);
  expect(isTaken('{}', `t=${NOW_S},v1=${v1}`, new Date((NOW_S + 301) * 1_000))).toBe(false);
});

test('ours and the Stripe package agree over 10,000 headers and bodies', {
  timeout: 120_000,
}, () => {
  const time = fc.oneof(
    fc.constantFrom(-302, -301, -300, -299, 0, 600).map((seconds) => NOW_S + seconds),
    fc.integer({ min: NOW_S - 300, max: NOW_S + 600 }),
  );
  // A part of a header: right, of another secret, cut, of another scheme, or nonsense.
  const part = fc.oneof(
    fc.constantFrom('right', 'right', 'other secret', 'cut', 'v0', 'upper case'),
    // At an empty v1 the package gives up the whole header; Stripe sends none.
    fc.stringMatching(/^[tv01=,a-f ]{0,12}$/).filter((text) => !/(^|,)v1=?(,|=|$)/.test(text)),
  );
  const written = (kind: string, body: string, timestamp: number): string => {
    const v1 = sign(body, timestamp);
    const ways: Record<string, string> = {
      right: `v1=${v1}`,
      'other secret': `v1=${sign(body, timestamp, 'whsec_other')}`,
      cut: `v1=${v1.slice(1)}`,
      v0: `v0=${v1}`,
      'upper case': `v1=${v1.toUpperCase()}`,
    };
    return ways[kind] ?? kind;
  };
  const body = fc.oneof(fc.json({ maxDepth: 1 }), fc.string({ unit: 'grapheme' }));
  let taken = 0;
  fc.assert(
    fc.property(
      body,
      time,
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(true, false, false),
      (text, t, parts, isChanged) => {
        const header = [`t=${t}`, ...parts.map((kind) => written(kind, text, t))].join(',');
        const sent = isChanged ? `${text} ` : text;
        const isOurs = isTaken(sent, header);
        if (isOurs) taken++;
        return isOurs === isTakenByPackage(sent, header);
      },
    ),
    { numRuns: 10_000 },
  );
  // Neither end of the answer is rare.
  expect(taken).toBeGreaterThan(1_000);
  expect(taken).toBeLessThan(9_000);
});
