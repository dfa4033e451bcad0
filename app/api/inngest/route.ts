import { answerInngest } from '#server/jobs/inngest/endpoint.ts';

export const dynamic = 'force-dynamic';

// Seconds, for hosts that limit a request: a run begins nothing new after 20 s, and an attempt
// under way ends within ten more.
export const maxDuration = 60;

export { answerInngest as GET, answerInngest as POST, answerInngest as PUT };
