/** Large as long as it fits on a line of a phone, then smaller. */
function sizeOf(amount: string): string {
  if (amount.length <= 13) return 'text-4xl sm:text-5xl';
  if (amount.length <= 18) return 'text-[1.75rem] sm:text-4xl';
  return amount.length <= 22 ? 'text-2xl sm:text-3xl' : 'text-lg sm:text-3xl';
}

/**
 * The amount that a page is about, as `formatMoney` writes it. Where no line has room for it, the
 * currency stands on a line of its own; the number is broken only where it has none either.
 */
export function LargeAmount({ amount }: { amount: string }) {
  // Where the currency stands apart, the blank beside it is the only one with no digit on one side.
  const breakable = amount.replace(/\u00a0(?=\D)|(?<=\D)\u00a0/, ' ');
  return (
    <p
      className={`wrap-anywhere mt-1 font-semibold tabular-nums leading-tight tracking-tight ${sizeOf(amount)}`}
    >
      {breakable}
    </p>
  );
}
