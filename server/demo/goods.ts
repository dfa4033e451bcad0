import type { Currency } from '../lib/money.ts';
import type { Random } from './random.ts';

const CURRENCY_WEIGHTS: Record<Currency, number> = { USD: 42, EUR: 25, RUB: 20, UZS: 13 };

/** A dollar's worth in each currency, in minor units, and the step that prices round to. */
const PRICES: Record<Currency, { perDollarMinor: number; stepMinor: number }> = {
  USD: { perDollarMinor: 100, stepMinor: 10 },
  EUR: { perDollarMinor: 92, stepMinor: 10 },
  RUB: { perDollarMinor: 9_000, stepMinor: 1_000 },
  UZS: { perDollarMinor: 1_260_000, stepMinor: 100_000 },
};

/** Titles with their usual price in dollars. */
const GOODS = [
  ['Ethiopia Guji, 1 kg', 26],
  ['Colombia Huila, 250 g', 9.5],
  ['House espresso, 1 kg', 21],
  ['Cold brew, six bottles', 17.4],
  ['Pour-over kit', 48],
  ['Ceramic mug', 14],
  ['Hand grinder', 119],
  ['Espresso machine', 640],
  ['Barista course, one day', 95],
  ['Gift card', 50],
  ['Monthly subscription', 24],
  ['Paper filters, 100', 6.8],
  ['Milk jug', 18],
  ['Water kettle', 72],
] as const;

const DELIVERY = ['Delivery', 5] as const;

export type Basket = {
  amountMinor: number;
  currency: Currency;
  description: string;
  /** The JSON text of the positions, as it is stored. */
  positions: string;
};

/** A buyer's purchase: one to four things, sometimes delivery, sometimes a discount. */
export function fillBasket(random: Random, orderNumber: number): Basket {
  const currency = random.weighted(CURRENCY_WEIGHTS);
  const { perDollarMinor, stepMinor } = PRICES[currency];
  const things: (readonly [string, number])[] = [random.pick(GOODS)];
  while (things.length < 4 && random.chance(0.34)) things.push(random.pick(GOODS));
  if (random.chance(0.3)) things.push(DELIVERY);
  const positions = things.map(([title, dollars]) => {
    const count = dollars < 60 && random.chance(0.2) ? random.int(2, 3) : 1;
    const amount =
      Math.max(1, Math.round((dollars * perDollarMinor) / stepMinor)) * stepMinor * count;
    return { title: count === 1 ? title : `${title} × ${count}`, amount, currency };
  });
  const sum = positions.reduce((total, { amount }) => total + amount, 0);
  const amountMinor = random.chance(0.06) ? Math.round(sum * 0.9) : sum;
  return {
    amountMinor,
    currency,
    description: `Order ${orderNumber}`,
    positions: JSON.stringify(positions),
  };
}
