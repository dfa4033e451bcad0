/**
 * Tells the total of a list that is cut; nothing for a whole one.
 *
 * @param props.write puts the two numbers into a sentence
 */
export function NewestShown({
  shown,
  total,
  write,
}: {
  shown: number;
  total: number;
  write: (counts: { shown: number; total: number }) => string;
}) {
  if (total <= shown) return null;
  return <p className="mb-4 text-muted text-sm">{write({ shown, total })}</p>;
}
