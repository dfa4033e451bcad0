const WORDS = {
  en: {
    loading: 'Loading…',
    unreachable: 'The gateway cannot be reached. Check your connection, then try again.',
    notCopied: 'Not copied',
    notLoaded: 'This could not be loaded. Perhaps the gateway was updated: load the page again.',
    field: {
      needed: 'Fill in this field',
      email: 'An email address, like name@example.com',
      url: 'A full address that begins with https:// or http://',
      date: 'A whole date',
      tooShort: 'At least {count} characters',
    },
  },
  ru: {
    loading: 'Загрузка…',
    unreachable: 'Шлюз недоступен. Проверьте соединение и попробуйте снова.',
    notCopied: 'Не скопировано',
    notLoaded: 'Не удалось загрузить. Возможно, шлюз обновлён: загрузите страницу снова.',
    field: {
      needed: 'Заполните это поле',
      email: 'Адрес почты, например name@example.com',
      url: 'Полный адрес, который начинается с https:// или http://',
      date: 'Дата целиком',
      tooShort: 'Не менее {count} символов',
    },
  },
};

/**
 * What the browser itself tells, failures above all, in the page's language; a browser's own words help
 * nobody.
 */
export function scriptWords(): (typeof WORDS)['en'] {
  return WORDS[globalThis.document?.documentElement.lang === 'ru' ? 'ru' : 'en'];
}
