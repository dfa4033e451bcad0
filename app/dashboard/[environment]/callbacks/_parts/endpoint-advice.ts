import type { Messages } from '#server/i18n/translator.ts';
import type { EndpointReportView } from '#server/trpc/rows.ts';

type Sample = EndpointReportView['samples'][number];
type Words = Messages['dashboard']['endpoint'];
type Advice = keyof Words['advice'];
export type Point = Exclude<keyof Words['points'], 'http2xx'>;

export const POINTS: Point[] = ['reached', 'inTime', 'httpOk', 'json', 'success', 'sameAnswer'];

export const POINTS_OF_EVENTS: Point[] = ['reached', 'inTime', 'httpOk', 'sameAnswer'];

/** Failures that no server or firewall causes and no point covers. */
const BY_FAILURE: Partial<Record<NonNullable<Sample['failure']>, Advice>> = {
  url_invalid: 'address',
  address_refused: 'address',
  port_refused: 'address',
  no_signing_secret: 'secret',
  malformed_answer: 'malformed',
};

/** Such an endpoint rejects the signature, or wants something that no callback has. */
const REFUSALS: readonly (number | null)[] = [401, 403];

/** Only the status of an answer to an event counts: 2xx. */
export function isEvent({ of }: Sample): boolean {
  return of.includes('.');
}

function adviceOn(sample: Sample): Advice | null {
  const own = sample.failure && BY_FAILURE[sample.failure];
  if (own) return own;
  if (REFUSALS.includes(sample.httpStatus)) return 'refused';
  const broken = POINTS.find((point) => sample[point] === 'broken');
  if (broken === 'httpOk' && isEvent(sample)) return 'http2xx';
  if (broken) return broken;
  if (sample.reason === null) return null;
  // An answer had begun but is not complete: it was too long, or broke off.
  return sample.httpStatus === 200 && sample.answer ? 'json' : 'unclear';
}

/**
 * The first things to mend: each sample's first broken point, because the later ones mostly follow
 * from it; each advice once.
 */
export function adviceFor(samples: readonly Sample[]): Advice[] {
  return [...new Set(samples.map(adviceOn).filter((each) => each !== null))];
}

/** Whether an advice is about one of the points, whose name then precedes it. */
export function isPoint(advice: Advice): advice is Point | 'http2xx' {
  return advice === 'http2xx' || (POINTS as Advice[]).includes(advice);
}
