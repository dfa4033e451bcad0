import { answerAcquirerCall } from '#server/http/fetch-adapter.ts';

export const dynamic = 'force-dynamic';

// Every method, for each protocol has its own answer to a wrong one.
export {
  answerAcquirerCall as DELETE,
  answerAcquirerCall as GET,
  answerAcquirerCall as PATCH,
  answerAcquirerCall as POST,
  answerAcquirerCall as PUT,
};
