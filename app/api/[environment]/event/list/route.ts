import { answerWebRequest } from '#server/http/fetch-adapter.ts';

export const dynamic = 'force-dynamic';

// Every method is routed, so that the handler can name the right one (405 with Allow).
export {
  answerWebRequest as DELETE,
  answerWebRequest as GET,
  answerWebRequest as HEAD,
  answerWebRequest as OPTIONS,
  answerWebRequest as PATCH,
  answerWebRequest as POST,
  answerWebRequest as PUT,
};
