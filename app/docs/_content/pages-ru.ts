/** The titles of the groups of pages, by the English ones. */
export const RUSSIAN_GROUPS: Record<string, string> = {
  Start: 'Начало',
  Integrate: 'Интеграция',
  Launch: 'Запуск',
  Operate: 'Эксплуатация',
};

/** The reference, whose text is English. */
export const RUSSIAN_API_PAGE = {
  href: '/docs/ru/api',
  title: 'Справочник API',
  summary:
    'Все методы с полями, ответами и примерами — из того же документа, по которому шлюз проверяет сам себя. Каждый метод можно попробовать в песочнице.',
};

/** A page's words in Russian; `isTranslated` says whether its text is Russian as well. */
type RussianPage = { title: string; summary: string; isTranslated: boolean };

const translated = (title: string, summary: string): RussianPage => ({
  title,
  summary,
  isTranslated: true,
});

const englishOnly = (title: string, summary: string): RussianPage => ({
  title,
  summary,
  isTranslated: false,
});

/** The pages by their slugs. */
export const RUSSIAN_PAGES: Record<string, RussianPage> = {
  'quick-start': translated(
    'Быстрый старт',
    'С нуля до оплаченного счёта и проверенного уведомления за пять минут.',
  ),
  'invoice-life': translated(
    'Жизнь счёта',
    'Четыре статуса, три выхода из первого и от чего зависит, каким будет следующий.',
  ),
  callbacks: translated(
    'Уведомления и подписи',
    'Что шлюз отправляет при смене статуса и как убедиться, что это действительно шлюз.',
  ),
  retries: translated(
    'Повторы уведомлений',
    'Что происходит, когда ваш сервер не отвечает, и как узнать причину.',
  ),
  events: englishOnly(
    'События на ваш адрес',
    'Как узнавать о возвратах, которые не удались позже, и об уведомлениях, которые не дошли.',
  ),
  idempotency: translated(
    'Идемпотентность',
    'Как повторить запрос, ответ на который потерялся, и ничего не создать дважды.',
  ),
  reconcile: englishOnly(
    'Сверка',
    'Как заново прочитать всё, что произошло: после сбоя на вашей стороне и каждый день.',
  ),
  errors: translated(
    'Ошибки',
    'Каждое сообщение, которое может вернуть API: почему оно появилось и что делать.',
  ),
  limits: translated('Ограничения', 'Длины, размеры, частота, сроки и что происходит за ними.'),
  client: englishOnly(
    'Клиент для TypeScript',
    'Типы, повторы, при которых счёт не теряется, и проверка уведомлений — в одном пакете.',
  ),
  testing: translated(
    'Тестирование',
    'Карты с заданным исходом и методы, для которых не нужен браузер.',
  ),
  'taking-payments': translated(
    'Приём платежей',
    'Как подключить договоры с эквайерами и что происходит, пока покупатель платит.',
  ),
  'going-live': translated(
    'Выход в рабочую среду',
    'Что проверить до первого настоящего покупателя.',
  ),
  operating: englishOnly(
    'Эксплуатация шлюза',
    'Процессы, ресурсы, мониторинг, резервные копии, ключи, обновления и PCI DSS.',
  ),
};
