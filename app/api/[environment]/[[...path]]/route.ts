import { answerWebRequest } from '#server/http/fetch-adapter.ts';

export const dynamic = 'force-dynamic';

// Whatever else stands under /api/{environment}: a 404 in the envelope.
export {
  answerWebRequest as DELETE,
  answerWebRequest as GET,
  answerWebRequest as HEAD,
  answerWebRequest as OPTIONS,
  answerWebRequest as PATCH,
  answerWebRequest as POST,
  answerWebRequest as PUT,
};
