import { type ApiError, ENVELOPE_ERRORS } from './api-errors.ts';
import type { DocsLanguage } from './docs-language.ts';
import { RUSSIAN_ERRORS } from './errors-ru.ts';
import { VALIDATION_ERRORS } from './validation-errors.ts';

const ENGLISH = [...ENVELOPE_ERRORS, ...VALIDATION_ERRORS];

const ERRORS: Record<DocsLanguage, ApiError[]> = {
  en: ENGLISH,
  ru: ENGLISH.map((error) => ({ ...error, ...RUSSIAN_ERRORS[error.id] })),
};

/** The errors of a status, in the order of their explanation. */
export function errorsOf(status: number, language: DocsLanguage = 'en'): ApiError[] {
  return ERRORS[language].filter((error) => error.status === status);
}

/** A message without the variable parts: figures, names and quoted values. */
function sentenceOf(message: string): string {
  return message.replaceAll(/\d+|'[^']*'|\b[A-Z]{3,}\b/g, '…');
}

/**
 * The address of an API message's explanation, or null if there is none.
 *
 * @param type the `type` of an item of a 422
 */
export function errorHref(status: number, message: string, type?: string): string | null {
  const alike = errorsOf(status).filter((error) => error.type === type);
  const sentence = sentenceOf(message);
  const found =
    alike.length === 1 ? alike[0] : alike.find((each) => sentenceOf(each.message) === sentence);
  return found ? `/docs/errors#${found.id}` : null;
}
