import { Unfold } from '../../_shared/unfold.tsx';

/** The figures of a chart, one row a day, the newest first. */
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
      <Unfold>{summary}</Unfold>
      {/* The table's links let the keyboard move through it. */}
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
