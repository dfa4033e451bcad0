export type ChartDay = { day: string; label: string; back: number; front: number; text: string };

const WIDTH = 720;
const HEIGHT = 160;

/**
 * Bars by day: `back` stands behind `front`, which is a part of it. A picture for the
 * eye only; the same figures stand in the table that comes with it.
 */
export function DayChart({ id, title, days }: { id: string; title: string; days: ChartDay[] }) {
  const top = Math.max(1, ...days.map(({ back }) => back));
  const step = WIDTH / days.length;
  const width = Math.max(1, step - Math.min(6, step * 0.25));
  const tall = (value: number): number => (value / top) * HEIGHT;
  return (
    <figure className="min-w-0">
      <svg
        role="img"
        aria-labelledby={id}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full"
      >
        <title id={id}>{title}</title>
        {days.map(({ day, back, front, text }, index) => (
          <g key={day} className="group">
            <title>{text}</title>
            <rect
              x={index * step}
              y={0}
              width={step}
              height={HEIGHT}
              className="fill-transparent group-hover:fill-sunk"
            />
            <rect
              x={index * step}
              y={HEIGHT - tall(back)}
              width={width}
              height={tall(back)}
              rx={Math.min(2, width / 3)}
              className="fill-accent/25"
            />
            <rect
              x={index * step}
              y={HEIGHT - tall(front)}
              width={width}
              height={tall(front)}
              rx={Math.min(2, width / 3)}
              className="fill-accent"
            />
          </g>
        ))}
      </svg>
      <figcaption className="mt-1 flex justify-between text-muted text-xs">
        <span>{days[0]?.label}</span>
        <span>{days.at(-1)?.label}</span>
      </figcaption>
    </figure>
  );
}

/** The figures of a chart, a row a day, the newest first. */
export function DayTable({
  summary,
  heads,
  rows,
}: {
  summary: string;
  heads: string[];
  rows: { key: string; cells: { text: string; href?: string }[] }[];
}) {
  return (
    <details className="mt-3">
      <summary className="inline-block rounded-md py-1 font-medium text-accent text-sm">
        {summary}
      </summary>
      {/* Scrolls by the keyboard as well. */}
      <section className="mt-2 max-h-80 overflow-auto" aria-label={summary} tabIndex={-1}>
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-line border-b text-left text-muted">
              {heads.map((head, index) => (
                <th
                  key={head}
                  scope="col"
                  className={`py-1.5 pr-3 font-medium ${index > 0 ? 'text-right' : ''}`}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map(({ text, href }, index) => (
                  <td
                    key={heads[index]}
                    className={`py-1.5 pr-3 tabular-nums ${index > 0 ? 'text-right' : ''}`}
                  >
                    {href ? (
                      <a href={href} className="link">
                        {text}
                      </a>
                    ) : (
                      text
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
