import { HOUSE_MARK } from '#server/lib/house-mark.ts';

/** The gateway's mark in the colour of the text; the words beside it say whose it is. */
export function HouseMark({ className = 'size-5' }: { className?: string }) {
  const { side, path } = HOUSE_MARK;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${side} ${side}`} className={className}>
      <path d={path} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}
