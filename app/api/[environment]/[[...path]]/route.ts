import { answerWebRequest } from '#server/http/fetch-adapter.ts';

export const dynamic = 'force-dynamic';

// Any other path under /api/{environment} gets a 404 in the envelope.
export {
  answerWebRequest as DELETE,
  answerWebRequest as GET,
  answerWebRequest as HEAD,
  answerWebRequest as OPTIONS,
  answerWebRequest as PATCH,
  answerWebRequest as POST,
  answerWebRequest as PUT,
};
