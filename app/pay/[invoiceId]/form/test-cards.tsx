'use client';

import { ChevronIcon } from '#app/_ui/icons.tsx';
import { BRAND_NAMES } from '#server/payments/brand.ts';

export type TestCardRow = {
  /** In groups of four. */
  number: string;
  brand: 'visa' | 'mastercard';
  outcome: string;
  /** `Fill in 4242 4242 4242 4242` */
  fillLabel: string;
};

type Props = {
  cards: TestCardRow[];
  /** `MM / YY`, some years ahead on the server's clock. */
  expiry: string;
  t: { cards: string; hint: string; use: string };
};

const setValue = Object.getOwnPropertyDescriptor(
  globalThis.HTMLInputElement?.prototype ?? {},
  'value',
)?.set;

/**
 * Types into a field as a person would. Past React's own setter, or React would
 * take the event that follows for no change.
 */
function type(id: string, value: string): HTMLInputElement | null {
  const input = document.getElementById(id);
  if (!(input instanceof HTMLInputElement)) return null;
  setValue?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return input;
}

function fillIn(number: string, expiry: string): void {
  type('number', number);
  type('expiry', expiry);
  type('securityCode', '123');
  const name = document.getElementById('name');
  if (name instanceof HTMLInputElement && name.value === '') type('name', 'Test Buyer');
  const button = document.querySelector<HTMLButtonElement>('form button[type="submit"]');
  button?.scrollIntoView({ block: 'nearest' });
  button?.focus();
}

/** The sandbox's cards; a click fills one in, and without JavaScript they can be copied. */
export function TestCards({ cards, expiry, t }: Props) {
  return (
    <details className="group min-w-0 rounded-xl border border-caution-line bg-caution-soft open:w-full sm:w-full">
      <summary className="flex min-h-9 list-none items-center justify-between gap-1.5 rounded-xl px-[min(0.625rem,4vw)] py-1.5 font-semibold text-sm sm:min-h-11 sm:gap-3 sm:px-4 sm:text-[0.9375rem]">
        <span className="wrap-anywhere min-w-0">{t.cards}</span>
        <ChevronIcon className="size-4 shrink-0 transition-transform group-open:rotate-180 sm:size-5" />
      </summary>
      <div className="border-caution-line border-t px-4 pb-2">
        <p className="pt-3 pb-1 text-sm">{t.hint}</p>
        <ul className="divide-y divide-caution-line">
          {cards.map((card) => (
            <li key={card.number} className="flex items-center gap-3 py-2.5">
              <div className="min-w-0 flex-1">
                <p className="font-mono text-[0.9375rem] tabular-nums">{card.number}</p>
                <p className="text-sm">
                  <span className="text-caution">{BRAND_NAMES[card.brand]} · </span>
                  {card.outcome}
                </p>
              </div>
              <button
                type="button"
                className="button button-plain needs-script min-h-9 px-3 py-1 text-sm"
                aria-label={card.fillLabel}
                onClick={() => fillIn(card.number, expiry)}
              >
                {t.use}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
