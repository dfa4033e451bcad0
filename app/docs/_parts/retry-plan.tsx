import { documentedValues } from '#server/openapi/documented-values.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** `5 min`, `75 h 35 min 35 s`: at most the three units in which people describe a schedule. */
export function spokenDuration(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  const parts = [
    hours > 0 ? `${hours} h` : '',
    minutes > 0 ? `${minutes} min` : '',
    seconds > 0 ? `${seconds} s` : '',
  ];
  return parts.filter(Boolean).join(' ') || 'at once';
}

type Attempt = { number: number; delayMs: number; sinceMs: number };

/** All attempts with the pause before each and the time since the first, without jitter. */
export function attemptsOf(delaysMs: readonly number[]): Attempt[] {
  let sinceMs = 0;
  return [0, ...delaysMs].map((delayMs, index) => {
    sinceMs += delayMs;
    return { number: index + 1, delayMs, sinceMs };
  });
}

const WIDTH = 640;
const LEFT = 16;
const BASE = 64;

// The times range from seconds to days, so only a logarithmic scale separates the attempts.
function place(sinceMs: number, lastMs: number): number {
  const share = Math.log10(1 + sinceMs / SECOND_MS) / Math.log10(1 + lastMs / SECOND_MS);
  return LEFT + share * (WIDTH - 2 * LEFT);
}

const TICKS = [
  { ms: 0, text: 'at once' },
  { ms: MINUTE_MS, text: '1 min' },
  { ms: HOUR_MS, text: '1 h' },
  { ms: 10 * HOUR_MS, text: '10 h' },
  { ms: 72 * HOUR_MS, text: '3 days' },
];

function Plot({ attempts }: { attempts: Attempt[] }) {
  const lastMs = attempts.at(-1)?.sinceMs ?? 1;
  return (
    <svg
      className="docs-picture block"
      viewBox={`0 0 ${WIDTH} 104`}
      role="img"
      aria-label="When the attempts are made; the table below says the same"
    >
      <path className="docs-arrow" d={`M${LEFT} ${BASE}H${WIDTH - LEFT}`} />
      {TICKS.map(({ ms, text }) => {
        const anchor = ms === 0 ? 'start' : 'middle';
        const x = place(ms, lastMs);
        return (
          <text
            key={text}
            className="docs-state-code"
            x={ms === 0 ? 0 : Math.min(x, WIDTH - 22)}
            y={BASE + 32}
            textAnchor={anchor}
          >
            {text}
          </text>
        );
      })}
      {attempts.map(({ number, sinceMs }) => (
        <g key={number}>
          <circle className="docs-dot" cx={place(sinceMs, lastMs)} cy={BASE} r="6" />
          <text
            className="docs-arrow-text"
            x={place(sinceMs, lastMs)}
            y={BASE - (number % 2 === 0 ? 30 : 15)}
            textAnchor="middle"
          >
            {number}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The table's words for the search. */
export function retryWords(): string {
  return attemptsOf(documentedValues().retryDelaysMs)
    .map(({ number, delayMs }) => `attempt ${number}: ${spokenDuration(delayMs)}`)
    .join(', ');
}

/** The schedule of the callbacks as a picture and a table. */
export function RetryPlan() {
  const attempts = attemptsOf(documentedValues().retryDelaysMs);
  return (
    <>
      <figure className="docs-figure hidden sm:block">
        <Plot attempts={attempts} />
        <figcaption>Eleven attempts, on a scale from seconds to days.</figcaption>
      </figure>
      <div className="docs-table">
        <table>
          <thead>
            <tr>
              <th scope="col">attempt</th>
              <th scope="col">after the one before</th>
              <th scope="col">since the first</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ number, delayMs, sinceMs }) => (
              <tr key={number}>
                <td>{number}</td>
                <td>{spokenDuration(delayMs)}</td>
                <td>{number === 1 ? '' : spokenDuration(sinceMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
