import type { Messages } from '#server/i18n/translator.ts';
import type { EndpointReportView } from '#server/trpc/rows.ts';

type Sample = EndpointReportView['samples'][number];
type Words = Messages['dashboard']['endpoint'];
type Advice = keyof Words['advice'];
export type Point = keyof Words['points'];

export const POINTS: Point[] = ['reached', 'inTime', 'httpOk', 'json', 'success', 'sameAnswer'];

/** What nobody's server or firewall is to blame for, and what no point is about. */
const BY_FAILURE: Partial<Record<NonNullable<Sample['failure']>, Advice>> = {
  url_invalid: 'address',
  address_refused: 'address',
  port_refused: 'address',
  no_signing_secret: 'secret',
  malformed_answer: 'malformed',
};

/** Who answers so does not believe the signature, or asks for what no callback brings. */
const REFUSALS: readonly (number | null)[] = [401, 403];

function adviceOn(sample: Sample): Advice | null {
  const own = sample.failure && BY_FAILURE[sample.failure];
  if (own) return own;
  if (REFUSALS.includes(sample.httpStatus)) return 'refused';
  const broken = POINTS.find((point) => sample[point] === 'broken');
  if (broken) return broken;
  if (sample.reason === null) return null;
  // Complete it was not, though an answer had begun: it was too long, or broke off.
  return sample.httpStatus === 200 && sample.answer ? 'json' : 'unclear';
}

/**
 * What to mend first: of each sample the first point that is broken, for the later ones mostly
 * follow from it; each advice once.
 */
export function adviceFor(samples: readonly Sample[]): Advice[] {
  return [...new Set(samples.map(adviceOn).filter((each) => each !== null))];
}

/** Whether an advice is about one of the points, whose name then stands before it. */
export function isPoint(advice: Advice): advice is Point {
  return (POINTS as Advice[]).includes(advice);
}
