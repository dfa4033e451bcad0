import { answerWebRequest } from '#server/http/fetch-adapter.ts';

export const dynamic = 'force-dynamic';

// Every method, so that the handler says which one would do (405 with Allow).
export {
  answerWebRequest as DELETE,
  answerWebRequest as GET,
  answerWebRequest as HEAD,
  answerWebRequest as OPTIONS,
  answerWebRequest as PATCH,
  answerWebRequest as POST,
  answerWebRequest as PUT,
};
