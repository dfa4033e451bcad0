import type { Locale } from './locales.ts';

const en = {
  front: {
    title: 'Payment gateway',
    lead: 'Create an invoice over REST, send the buyer to a payment page, and hear of every change of status by a signed callback.',
    docs: 'Documentation',
    docsText: 'Quick start, callbacks, errors, and an API reference to try things in.',
    dashboard: 'Dashboard',
    dashboardText: 'Invoices, callbacks, tokens and staff of a merchant.',
    health: 'Health',
    healthText: 'Whether the gateway and its database are in order.',
  },
  notFound: {
    title: 'There is nothing here',
    text: 'The address may be incomplete, or what stood here has moved.',
    home: 'To the front page',
  },
  error: {
    title: 'Something went wrong on our side',
    text: 'It has been noted. If you were paying, reload the page to see what became of it before you pay again.',
    again: 'Reload the page',
  },
  updated: {
    title: 'The gateway was updated',
    text: 'This page is of the version before, so nothing was done. Load the new version, then try again.',
    again: 'Load the new version',
  },
  otherSite: (origin: string) =>
    `Nothing was done, because this form was not sent from ${origin}. Open the page there and try again.`,
};

type SiteMessages = typeof en;

const ru: SiteMessages = {
  front: {
    title: 'Платёжный шлюз',
    lead: 'Создайте счёт через REST, отправьте покупателя на страницу оплаты и узнавайте о каждой смене статуса из подписанного уведомления.',
    docs: 'Документация',
    docsText:
      'Быстрый старт, уведомления, ошибки и справочник API, где всё можно попробовать (на английском).',
    dashboard: 'Кабинет',
    dashboardText: 'Счета, уведомления, токены и сотрудники магазина.',
    health: 'Состояние',
    healthText: 'В порядке ли шлюз и его база данных.',
  },
  notFound: {
    title: 'Здесь ничего нет',
    text: 'Возможно, адрес неполный или страница переехала.',
    home: 'На главную',
  },
  error: {
    title: 'У нас произошла ошибка',
    text: 'Мы о ней знаем. Если вы платили, обновите страницу, чтобы узнать результат, прежде чем платить снова.',
    again: 'Обновить страницу',
  },
  updated: {
    title: 'Шлюз обновлён',
    text: 'Эта страница осталась от прежней версии, поэтому ничего не было сделано. Загрузите новую версию и попробуйте снова.',
    again: 'Загрузить новую версию',
  },
  otherSite: (origin) =>
    `Ничего не сделано: форма отправлена не со страницы ${origin}. Откройте страницу по этому адресу и попробуйте снова.`,
};

const uz: SiteMessages = {
  front: {
    title: 'Toʻlov shlyuzi',
    lead: 'REST orqali hisob yarating, xaridorni toʻlov sahifasiga yuboring va har bir holat oʻzgarishidan imzolangan xabar orqali xabardor boʻling.',
    docs: 'Hujjatlar',
    docsText:
      'Tez boshlash, xabarnomalar, xatolar va sinab koʻriladigan API maʼlumotnomasi (ingliz tilida).',
    dashboard: 'Boshqaruv paneli',
    dashboardText: 'Doʻkonning hisoblari, xabarnomalari, tokenlari va xodimlari.',
    health: 'Holat',
    healthText: 'Shlyuz va uning maʼlumotlar bazasi joyidami.',
  },
  notFound: {
    title: 'Bu yerda hech narsa yoʻq',
    text: 'Manzil toʻliq boʻlmasligi yoki sahifa koʻchirilgan boʻlishi mumkin.',
    home: 'Bosh sahifaga',
  },
  error: {
    title: 'Bizda xatolik yuz berdi',
    text: 'Xatolik qayd etildi. Agar toʻlov qilayotgan boʻlsangiz, qayta toʻlashdan oldin sahifani yangilab, natijani tekshiring.',
    again: 'Sahifani yangilash',
  },
  updated: {
    title: 'Shlyuz yangilandi',
    text: 'Bu sahifa avvalgi versiyadan qolgan, shuning uchun hech narsa bajarilmadi. Yangi versiyani yuklab, qayta urinib koʻring.',
    again: 'Yangi versiyani yuklash',
  },
  otherSite: (origin) =>
    `Hech narsa bajarilmadi: shakl ${origin} sahifasidan yuborilmagan. Sahifani shu manzilda ochib, qayta urinib koʻring.`,
};

const MESSAGES: Record<Locale, SiteMessages> = { en, ru, uz };

/** The words of the pages that belong to nobody in particular. */
export function siteMessages(locale: Locale): SiteMessages {
  return MESSAGES[locale];
}
