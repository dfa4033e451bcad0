import type { Translator } from '#server/i18n/translator.ts';
import type { FormFault } from '#server/trpc/rows.ts';

/** The reader's words for a fault that only the server finds in a form; it names it by a code. */
export function faultText(
  { field, type, most }: FormFault,
  t: Translator<'dashboard.create'>,
): string {
  switch (type) {
    case 'missing':
    case 'string_too_short':
      return t('needed');
    case 'string_too_long':
      return t('tooLong', { count: String(most) });
    case 'too_long':
      return t('tooLarge');
    case 'string_pattern_mismatch':
      return t('control');
    case 'url_parsing':
    case 'url_scheme':
      return t('badUrl');
    case 'greater_than':
      return t('badAmount');
    case 'less_than_equal':
      return t('tooMuch');
    case 'value_error':
      return field.endsWith('_url') ? t('noPassword') : t('badCharacter');
    default:
      return t('notTaken');
  }
}
