/** The amount is large while it fits on a line of a phone, then smaller. */
function sizeOf(amount: string): string {
  if (amount.length <= 13) return 'text-4xl sm:text-5xl';
  if (amount.length <= 18) return 'text-[1.75rem] sm:text-4xl';
  return amount.length <= 22 ? 'text-2xl sm:text-3xl' : 'text-lg sm:text-3xl';
}

/**
 * An amount, as `formatMoney` writes it, that can be broken beside its currency: where this stands
 * apart, the blank there is the only one with no digit on one side.
 */
export function breakable(amount: string): string {
  return amount.replace(/\u00a0(?=\D)|(?<=\D)\u00a0/, ' ');
}

/**
 * The amount that a page is about, as `formatMoney` writes it. Where no line has room for it, the
 * currency stands on a line of its own; the number is broken only where it has none either.
 */
export function LargeAmount({ amount }: { amount: string }) {
  return (
    <p
      className={`wrap-anywhere font-semibold sm:mt-1 leading-tight tracking-tight ${sizeOf(amount)}`}
    >
      {breakable(amount)}
    </p>
  );
}
