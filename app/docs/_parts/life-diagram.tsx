const BOX_HEIGHT = 56;

const MEANING =
  'Creating an invoice makes it PENDING, status 1. From there it becomes PAID, status 2, when the buyer pays; EXPIRED, status 3, when its end date passes; or CANCELED, status 4, by POST /invoice/cancel. These three are final, and each sends one callback.';

type Box = { name: string; code: number; x: number; y: number; width: number };
type Way = { path: string; label: string; x: number; y: number; anchor: 'start' | 'middle' };

/** The same picture for two widths: words must stay readable on a phone. */
type Layout = { name: string; className: string; viewBox: string; boxes: Box[]; ways: Way[] };

const WIDE: Layout = {
  name: 'wide',
  className: 'docs-picture hidden sm:block',
  viewBox: '0 0 610 280',
  boxes: [
    { name: 'PENDING', code: 1, x: 62, y: 112, width: 150 },
    { name: 'PAID', code: 2, x: 440, y: 20, width: 150 },
    { name: 'EXPIRED', code: 3, x: 440, y: 112, width: 150 },
    { name: 'CANCELED', code: 4, x: 440, y: 204, width: 150 },
  ],
  ways: [
    { path: 'M8 140H56', label: 'create', x: 8, y: 126, anchor: 'start' },
    {
      path: 'M212 140C252 140 232 48 282 48H436',
      label: 'the buyer pays',
      x: 288,
      y: 38,
      anchor: 'start',
    },
    { path: 'M212 140H436', label: 'end_date passes', x: 288, y: 130, anchor: 'start' },
    {
      path: 'M212 140C252 140 232 232 282 232H436',
      label: 'POST /invoice/cancel',
      x: 288,
      y: 222,
      anchor: 'start',
    },
  ],
};

const NARROW: Layout = {
  name: 'narrow',
  className: 'docs-picture block sm:hidden',
  viewBox: '0 0 320 262',
  boxes: [
    { name: 'PENDING', code: 1, x: 95, y: 44, width: 130 },
    { name: 'PAID', code: 2, x: 0, y: 200, width: 100 },
    { name: 'EXPIRED', code: 3, x: 110, y: 200, width: 100 },
    { name: 'CANCELED', code: 4, x: 220, y: 200, width: 100 },
  ],
  ways: [
    { path: 'M160 4V40', label: 'create', x: 172, y: 24, anchor: 'start' },
    {
      path: 'M160 100C160 130 50 120 50 160V196',
      label: 'buyer pays',
      x: 50,
      y: 118,
      anchor: 'middle',
    },
    { path: 'M160 100V196', label: 'end_date', x: 168, y: 166, anchor: 'start' },
    {
      path: 'M160 100C160 130 270 120 270 160V196',
      label: 'cancel',
      x: 268,
      y: 118,
      anchor: 'middle',
    },
  ],
};

function StatusBox({ name, code, x, y, width }: Box) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="docs-state" width={width} height={BOX_HEIGHT} rx="12" />
      <text className="docs-state-name" x={width / 2} y="25" textAnchor="middle">
        {name}
      </text>
      <text className="docs-state-code" x={width / 2} y="43" textAnchor="middle">
        status {code}
      </text>
    </g>
  );
}

function Picture({ name, className, viewBox, boxes, ways }: Layout) {
  const arrow = `life-arrow-${name}`;
  return (
    <svg className={className} viewBox={viewBox} role="img" aria-label={MEANING}>
      <defs>
        <marker
          id={arrow}
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path className="docs-arrow-head" d="M0 0 10 5 0 10z" />
        </marker>
      </defs>
      {ways.map(({ path, label, x, y, anchor }) => (
        <g key={label}>
          <path className="docs-arrow" d={path} markerEnd={`url(#${arrow})`} />
          <text className="docs-arrow-text" x={x} y={y} textAnchor={anchor}>
            {label}
          </text>
        </g>
      ))}
      {boxes.map((box) => (
        <StatusBox key={box.name} {...box} />
      ))}
    </svg>
  );
}

const CAPTION = 'PAID, EXPIRED and CANCELED are final. Reaching one sends the callback.';

/** The diagram's words for the search. */
export function lifeWords(): string {
  return `${MEANING} ${CAPTION}`;
}

/** The four statuses and the three ways from the first to the others. */
export function LifeDiagram() {
  return (
    <figure className="docs-figure">
      <Picture {...WIDE} />
      <Picture {...NARROW} />
      <figcaption>{CAPTION}</figcaption>
    </figure>
  );
}
