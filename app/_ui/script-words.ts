const WORDS = {
  en: {
    unreachable: 'The gateway cannot be reached. Check your connection, then try again.',
    notCopied: 'Not copied',
    notLoaded: 'This could not be loaded. Perhaps the gateway was updated: load the page again.',
  },
  ru: {
    unreachable: 'Шлюз недоступен. Проверьте соединение и попробуйте снова.',
    notCopied: 'Не скопировано',
    notLoaded: 'Не удалось загрузить. Возможно, шлюз обновлён: загрузите страницу снова.',
  },
};

/** What the browser refuses, in the page's language; a browser's own words for it help nobody. */
export function scriptWords(): (typeof WORDS)['en'] {
  return WORDS[document.documentElement.lang === 'ru' ? 'ru' : 'en'];
}
