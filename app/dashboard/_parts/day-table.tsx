import { ChevronIcon } from '#app/_ui/icons.tsx';

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
    <details className="group mt-3">
      <summary className="inline-flex items-center gap-0.5 rounded-md py-1 font-medium text-accent text-sm">
        {summary}
        <ChevronIcon className="size-4 group-open:rotate-180" />
      </summary>
      {/* Its links lead the keyboard through it. */}
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
