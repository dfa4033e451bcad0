import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old a call may be (the Stripe package's default tolerance). */
const TOLERANCE_S = 300;

/**
 * Verifies `Stripe-Signature: t=…,v1=…[,v1=…]` over the bytes as they came: HMAC-SHA256 of `t.body`,
 * whose key is the whole secret with its `whsec_` (Stripe, "webhook signatures"). Any `v1` counts, as
 * there are two while the secret is exchanged; other schemes do not.
 */
export function isSigned(
  body: Uint8Array,
  header: string | null,
  { secret, now }: { secret: string; now: Date },
): boolean {
  const pairs = (header ?? '').split(',').map((item) => item.split('='));
  const timestamp = Number.parseInt(pairs.findLast(([name]) => name === 't')?.[1] ?? '', 10);
  if (Number.isNaN(timestamp) || body.length === 0) return false;
  if (Math.floor(now.getTime() / 1000) - timestamp > TOLERANCE_S) return false;
  const wanted = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return pairs.some(([name, value = '']) => name === 'v1' && isEqual(value, wanted));
}

function isEqual(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
