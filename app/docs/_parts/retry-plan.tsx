import { translatorOf } from '#server/i18n/translator.ts';
import { documentedValues } from '#server/openapi/documented-values.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** `5 min`, `75 h 35 min 35 s`: at most the three units in which people describe a schedule. */
export function spokenDuration(ms: number, language: DocsLanguage): string {
  const t = translatorOf(language, 'docs.retries');
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  const parts = [
    hours > 0 ? t('hours', { count: hours }) : '',
    minutes > 0 ? t('minutes', { count: minutes }) : '',
    seconds > 0 ? t('seconds', { count: seconds }) : '',
  ];
  return parts.filter(Boolean).join(' ') || t('atOnce');
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

const DAY_MS = 24 * HOUR_MS;
const TICKS_MS = [0, MINUTE_MS, HOUR_MS, 10 * HOUR_MS, 3 * DAY_MS];

function Plot({ attempts, language }: { attempts: Attempt[]; language: DocsLanguage }) {
  const t = translatorOf(language, 'docs.retries');
  const lastMs = attempts.at(-1)?.sinceMs ?? 1;
  return (
    <svg
      className="docs-picture block"
      viewBox={`0 0 ${WIDTH} 104`}
      role="img"
      aria-label={t('picture')}
    >
      <path className="docs-arrow" d={`M${LEFT} ${BASE}H${WIDTH - LEFT}`} />
      {TICKS_MS.map((ms) => {
        const anchor = ms === 0 ? 'start' : 'middle';
        const x = place(ms, lastMs);
        return (
          <text
            key={ms}
            className="docs-state-code"
            x={ms === 0 ? 0 : Math.min(x, WIDTH - 22)}
            y={BASE + 32}
            textAnchor={anchor}
          >
            {ms < DAY_MS ? spokenDuration(ms, language) : t('days', { count: ms / DAY_MS })}
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
export function retryWords(language: DocsLanguage): string {
  const t = translatorOf(language, 'docs.retries');
  return attemptsOf(documentedValues().retryDelaysMs)
    .map(({ number, delayMs }) => t('word', { number, delay: spokenDuration(delayMs, language) }))
    .join(', ');
}

/** The schedule of the callbacks as a picture and a table. */
export function RetryPlan({ language }: { language: DocsLanguage }) {
  const attempts = attemptsOf(documentedValues().retryDelaysMs);
  const t = translatorOf(language, 'docs.retries');
  return (
    <>
      <figure className="docs-figure hidden sm:block">
        <Plot attempts={attempts} language={language} />
        <figcaption>{t('caption')}</figcaption>
      </figure>
      <div className="docs-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('attempt')}</th>
              <th scope="col">{t('sinceLast')}</th>
              <th scope="col">{t('sinceFirst')}</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ number, delayMs, sinceMs }) => (
              <tr key={number}>
                <td>{number}</td>
                <td>{spokenDuration(delayMs, language)}</td>
                <td>{number === 1 ? '' : spokenDuration(sinceMs, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
