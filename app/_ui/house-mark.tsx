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

/** The star of a girih, two squares crossed: decoration where there is nothing else to see. */
export function GirihStar({ className = 'size-14' }: { className?: string }) {
  const square = { x: 9, y: 9, width: 30, height: 30 };
  return (
    <svg aria-hidden="true" viewBox="0 0 48 48" className={className} fill="none">
      <g stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round">
        <rect {...square} />
        <rect {...square} transform="rotate(45 24 24)" />
        <path d="M24 9v6M39 24h-6M24 39v-6M9 24h6" />
      </g>
      <path
        fill="currentColor"
        d="M24 15.5l2.5 2.5H30v3.5l2.5 2.5-2.5 2.5V30h-3.5L24 32.5 21.5 30H18v-3.5L15.5 24l2.5-2.5V18h3.5z"
      />
    </svg>
  );
}
