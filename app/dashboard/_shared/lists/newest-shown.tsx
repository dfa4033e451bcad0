import { filled } from '../forms/question-text.ts';

/** Says of a list that is cut how many there are in all; nothing of one that is whole. */
export function NewestShown({
  text,
  shown,
  total,
}: {
  /** With `{shown}` and `{total}`. */
  text: string;
  shown: number;
  total: number;
}) {
  if (total <= shown) return null;
  return <p className="mb-4 text-muted text-sm">{filled(text, { shown, total })}</p>;
}
