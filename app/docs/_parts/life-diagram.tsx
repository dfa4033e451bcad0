const FINAL = [
  { name: 'PAID', code: 2, y: 20, by: 'the buyer pays' },
  { name: 'EXPIRED', code: 3, y: 112, by: 'end_date passes' },
  { name: 'CANCELED', code: 4, y: 204, by: 'POST /invoice/cancel' },
];

const BOX_HEIGHT = 56;
const FROM = { x: 212, y: 140 };
const TO_X = 440;

function StatusBox({ x, y, name, code }: { x: number; y: number; name: string; code: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="docs-state" width="150" height={BOX_HEIGHT} rx="12" />
      <text className="docs-state-name" x="75" y="25" textAnchor="middle">
        {name}
      </text>
      <text className="docs-state-code" x="75" y="43" textAnchor="middle">
        status {code}
      </text>
    </g>
  );
}

/** The four statuses and the three ways from the first to the others. */
export function LifeDiagram() {
  return (
    <figure className="docs-figure">
      <svg
        className="docs-picture"
        viewBox="0 0 610 280"
        role="img"
        aria-labelledby="life-title life-text"
      >
        <title id="life-title">The life of an invoice</title>
        <desc id="life-text">
          Creating an invoice makes it PENDING, status 1. From there it becomes PAID, status 2, when
          the buyer pays; EXPIRED, status 3, when its end date passes; or CANCELED, status 4, by
          POST /invoice/cancel. These three are final, and each sends one callback.
        </desc>
        <defs>
          <marker
            id="life-arrow"
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path className="docs-arrow-head" d="M0 0 10 5 0 10z" />
          </marker>
        </defs>
        <path className="docs-arrow" d="M8 140H56" markerEnd="url(#life-arrow)" />
        <text className="docs-arrow-text" x="8" y="126">
          create
        </text>
        <StatusBox x={62} y={FROM.y - BOX_HEIGHT / 2} name="PENDING" code={1} />
        {FINAL.map(({ name, code, y, by }) => {
          const end = y + BOX_HEIGHT / 2;
          return (
            <g key={name}>
              <path
                className="docs-arrow"
                d={`M${FROM.x} ${FROM.y} C ${FROM.x + 40} ${FROM.y}, ${FROM.x + 20} ${end}, ${FROM.x + 70} ${end} H ${TO_X - 4}`}
                markerEnd="url(#life-arrow)"
              />
              <text className="docs-arrow-text" x={FROM.x + 76} y={end - 10}>
                {by}
              </text>
              <StatusBox x={TO_X} y={y} name={name} code={code} />
            </g>
          );
        })}
      </svg>
      <figcaption>
        PAID, EXPIRED and CANCELED are final. Reaching one sends the callback.
      </figcaption>
    </figure>
  );
}
