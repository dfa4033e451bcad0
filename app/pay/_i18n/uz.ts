import type { PayMessages } from './en.ts';

export const uz: PayMessages = {
  pageTitle: (merchant) => `Toʻlov: ${merchant}`,
  skipToPayment: 'Toʻlovga oʻtish',
  summary: {
    title: 'Buyurtmangiz',
    details: 'Buyurtma tarkibi',
    itemsTotal: 'Mahsulotlar',
    discount: 'Chegirma',
    surcharge: 'Ustama',
    total: 'Jami',
    payBy: 'Toʻlov muddati',
    positions: (count) => `${count} ta mahsulot`,
  },
  time: {
    left: 'Toʻlov uchun qolgan vaqt',
    milestones: {
      '600': 'Toʻlov uchun 10 daqiqa qoldi.',
      '300': 'Toʻlov uchun 5 daqiqa qoldi.',
      '60': 'Toʻlov uchun 1 daqiqa qoldi.',
      '0': 'Toʻlov vaqti tugadi.',
    },
  },
  form: {
    title: 'Karta orqali toʻlov',
    number: 'Karta raqami',
    expiry: 'Amal qilish muddati',
    expiryHint: 'OO / YY',
    securityCode: 'Xavfsizlik kodi',
    securityCodeHint: 'Orqa tomonidagi 3 ta raqam',
    name: 'Kartadagi ism',
    paying: 'Toʻlanmoqda…',
    payingStatus: 'Toʻlov amalga oshirilmoqda. Iltimos, kuting.',
    stillPaying:
      'Bu odatdagidan koʻproq vaqt olmoqda. Sahifani yopmang: pul koʻpi bilan bir marta yechiladi.',
    secure: 'Karta raqami va xavfsizlik kodi shifrlangan holda yuboriladi va saqlanmaydi.',
    problems: 'Xatoni tuzating',
  },
  faults: {
    number_missing: 'Karta raqamini kiriting',
    number_characters: 'Karta raqamida faqat raqamlar va boʻsh joylar boʻlishi mumkin',
    number_length: 'Karta raqami 12 tadan 19 tagacha raqamdan iborat boʻlishi kerak',
    number_check: 'Karta raqamini tekshiring: xato borga oʻxshaydi',
    number_test: 'Bu sinov. Sinov kartasidan foydalaning: haqiqiy karta bu yerda qabul qilinmaydi',
    expiry_missing: 'Amal qilish muddatini kiriting',
    expiry_format: 'Muddatni OO\u00a0/\u00a0YY koʻrinishida kiriting, masalan 08\u00a0/\u00a029',
    expiry_past: 'Kartaning muddati tugagan. Sanani tekshiring yoki boshqa kartadan foydalaning',
    securityCode_missing: 'Xavfsizlik kodini kiriting',
    securityCode_format:
      'Xavfsizlik kodi 3 ta, baʼzi kartalarda 4 ta raqamdan iborat boʻlishi kerak',
    name_missing: 'Kartadagi ismni kiriting',
    name_length: 'Ism koʻpi bilan 100 ta belgidan iborat boʻlishi mumkin',
  },
  pay: (amount) => `${amount} toʻlash`,
  backToShop: (merchant) => `Qaytish: ${merchant}`,
  declined: {
    title: 'Toʻlov amalga oshmadi',
    notCharged: 'Pul yechilmadi.',
    card: (brand, last4) => `${brand}, oxirgi raqamlari ${last4}`,
    reasons: {
      generic_decline:
        'Bank kartani sababini aytmasdan rad etdi. Boshqa kartadan foydalaning yoki bankka murojaat qiling.',
      insufficient_funds:
        'Kartada mablagʻ yetarli emas. Boshqa kartadan foydalaning yoki uni toʻldirib, qayta urinib koʻring.',
      lost_card: 'Bank bu karta bilan toʻlashga ruxsat bermaydi. Boshqa kartadan foydalaning.',
      expired_card:
        'Bank maʼlumotiga koʻra, kartaning muddati tugagan. Sanani tekshiring yoki boshqa kartadan foydalaning.',
      incorrect_cvc: 'Xavfsizlik kodi notoʻgʻri. Uni tekshirib, qayta urinib koʻring.',
      processing_error:
        'Bank hozir toʻlovni bajara olmadi. Bir daqiqadan keyin urinib koʻring yoki boshqa kartadan foydalaning.',
      authentication_failed:
        'Bank bu siz ekaningizni tasdiqlay olmadi. Qayta urinib koʻring yoki boshqa kartadan foydalaning.',
      challenge_abandoned:
        'Toʻlovni bankda tasdiqlamasdan chiqib ketdingiz. Tayyor boʻlganda qayta urinib koʻring.',
      test_card_required:
        'Bu sinov. Sinov kartasidan foydalaning: haqiqiy karta bu yerda qabul qilinmaydi.',
    },
  },
  notices: {
    lost: 'Aloqa uzildi. Internetni tekshirib, qayta urinib koʻring: pul koʻpi bilan bir marta yechiladi.',
    voided: 'Toʻlov pul yechilmasdan toʻxtatildi. Qayta urinib koʻrishingiz mumkin.',
    notStarted: 'Toʻlov boshlanmasdan bizda xatolik yuz berdi. Qayta urinib koʻring.',
    unclear: 'Toʻlov natijasi hali nomaʼlum. Qayta toʻlashdan oldin sahifani yangilang.',
    in_progress: 'Bu buyurtma uchun boshqa toʻlov bajarilmoqda, ehtimol boshqa varaqda.',
    throttled:
      'Internet ulanishingizdan yuborilgan juda koʻp toʻlov rad etildi, shuning uchun bu toʻlov boshlanmadi. {minutes} daqiqadan keyin qayta urinib koʻring yoki boshqa internetdan, masalan, mobil internetdan foydalaning.',
    outdated:
      'Siz ochganingizdan keyin bu sahifa oʻzgardi, shuning uchun toʻlov boshlanmadi. Sahifani yangilab, toʻlang.',
    reload: 'Sahifani yangilash',
  },
  openChallenge: {
    title: 'Bank tasdigʻingizni kutmoqda',
    text: 'Toʻlovni tasdiqlashni tugatmadingiz. Davom eting yoki quyida boshqa karta bilan toʻlang.',
    last: 'Oxirgi toʻlovni tasdiqlashni tugatmadingiz. Buni hali qilishingiz mumkin.',
    action: 'Tasdiqlashga oʻtish',
  },
  processing: {
    title: 'Toʻlov bajarilmoqda',
    text: 'Bank hali javob bermadi. Javob kelishi bilan sahifa oʻzi oʻzgaradi.',
    keep: 'Iltimos, qayta toʻlamang. Sahifani yopishingiz mumkin: toʻlov tugashi bilan doʻkonga xabar beriladi.',
    check: 'Qayta tekshirish',
  },
  paid: {
    title: 'Toʻlov bajarildi',
    text: (amount, merchant) => `Siz ${amount} toʻladingiz. Oluvchi: ${merchant}.`,
    receipt: 'Chekni koʻrish',
    continue: (merchant) => `Davom etish: ${merchant}`,
  },
  returns: {
    redirecting: (seconds) => `Doʻkonga qaytishgacha ${seconds} soniya`,
    redirectingPlain: (seconds) => `${seconds} soniyadan keyin doʻkonga qaytasiz.`,
    stay: 'Shu sahifada qolish',
    staying: 'Shu sahifada qolasiz.',
  },
  expired: {
    title: 'Toʻlov vaqti tugadi',
    text: 'Bu toʻlov havolasi endi yaroqsiz. Doʻkonga qaytib, buyurtmani qayta rasmiylashtiring.',
  },
  canceled: {
    title: 'Buyurtma bekor qilindi',
    text: (merchant) => `${merchant} buyurtmani bekor qildi, uni endi toʻlab boʻlmaydi.`,
  },
  closedNotCharged:
    'Pul yechilmadi. Agar bank band qilingan summani koʻrsatsa, u oʻzi qaytariladi.',
  unavailable: {
    title: 'Karta orqali toʻlov hozircha mavjud emas',
    text: 'Doʻkon hozir bu yerda karta qabul qila olmaydi. Doʻkonga qaytib, boshqa toʻlov usulini tanlang.',
  },
  tooMany: {
    title: 'Urinishlar soni juda koʻp',
    wait: (time) =>
      `Bu buyurtmani toʻlashga juda koʻp urinildi. Xavfsizligingiz uchun keyingi urinish mumkin boʻladigan vaqt: ${time}. Rad etilgan urinishlar uchun pul yechilmadi.`,
    over: 'Bu buyurtmani toʻlashga juda koʻp urinildi, endi uni toʻlab boʻlmaydi. Doʻkonga qaytib, buyurtmani qayta rasmiylashtiring. Rad etilgan urinishlar uchun pul yechilmadi.',
  },
  unknown: {
    title: 'Bunday toʻlov topilmadi',
    text: 'Havola toʻliq ekanini tekshiring. Doʻkondan oʻtgan boʻlsangiz, qaytib urinib koʻring yoki yangi havola soʻrang.',
  },
  trouble: {
    title: 'Toʻlovni hozir koʻrsata olmaymiz',
    text: 'Nosozlik biz tomonda. Agar hozirgina toʻlagan boʻlsangiz, qayta toʻlamang: natijani koʻrish uchun bir daqiqadan keyin sahifani yangilang.',
    again: 'Qayta urinish',
  },
  sandbox: {
    banner: 'Sinov toʻlovi',
    text: 'Pul yechilmaydi.',
    useTestCard: 'Sinov kartasidan foydalaning.',
    cards: 'Sinov kartalari',
    hint: 'Istalgan kelgusi muddat, istalgan xavfsizlik kodi, istalgan ism.',
    fill: (card) => `${card} raqamini kiritish`,
    use: 'Tanlash',
    outcomes: {
      approved: 'Toʻlov oʻtadi',
      generic_decline: 'Sababsiz rad etiladi',
      insufficient_funds: 'Rad: mablagʻ yetarli emas',
      lost_card: 'Rad: karta yoʻqolgan',
      expired_card: 'Rad: karta muddati tugagan',
      incorrect_cvc: 'Rad: xavfsizlik kodi notoʻgʻri',
      processing_error: 'Rad: qayta ishlash xatosi',
      challenge_approved: '3-D Secure: tasdiqlash',
      challenge_failed: 'Rad: 3-D Secure tekshiruvidan oʻtilmaydi',
      challenge_abandoned: 'Rad: 3-D Secure dan chiqib ketiladi',
      slow_approved: 'Toʻlov 40 soniyadan keyin oʻtadi',
    },
  },
  challenge: {
    title: 'Toʻlovni tasdiqlang',
    bank: 'Sinov banki',
    text: (amount, merchant) =>
      `Bank ${amount} toʻlovini aynan siz qilayotganingizga ishonch hosil qilmoqchi. Oluvchi: ${merchant}.`,
    test: {
      choose: 'Bu sahifa bankingiz sahifasi oʻrnida. Bank nima javob berishini tanlang.',
      fail: 'Bu sahifa bankingiz sahifasi oʻrnida. Nimani tanlasangiz ham, bu karta tekshiruvdan oʻtmaydi.',
      leave:
        'Bu sahifa bankingiz sahifasi oʻrnida. Nimani tanlasangiz ham, bu karta bilan toʻlov tasdiqlanmay qoladi.',
    },
    outdated:
      'Siz ochganingizdan keyin bu sahifa oʻzgardi, shuning uchun toʻlov hali tasdiqlanmadi. Sahifani yangilab, tasdiqlang.',
    card: 'Karta',
    amount: 'Summa',
    merchant: 'Oluvchi',
    approve: 'Toʻlovni tasdiqlash',
    fail: 'Tekshiruvdan oʻtmaslik',
    leave: 'Tasdiqlamasdan chiqish',
  },
  receipt: {
    title: 'Chek',
    test: 'Sinov cheki: pul yechilmagan',
    number: 'Chek raqami',
    merchant: 'Oluvchi',
    order: 'Buyurtma raqami',
    description: 'Tavsif',
    paidAt: 'Toʻlangan vaqt',
    card: 'Karta',
    transaction: 'Tranzaksiya raqami',
    item: 'Mahsulot',
    amount: 'Summa',
    print: 'Chop etish',
    pdf: 'PDF yuklab olish',
    undrawn:
      'Ayrim belgilarni bu faylda koʻrsatib boʻlmaydi, oʻrnida □ turadi. Toʻliq chek shu sahifada:',
    busy: 'Hozir chekni tayyorlab boʻlmayapti. Bir necha soniyadan keyin qayta urinib koʻring.',
    back: 'Toʻlovga qaytish',
  },
  qr: {
    title: 'Telefonda davom eting',
    text: 'Toʻlovni telefonda ochish uchun kodni skanerlang.',
    alt: 'Shu sahifa manzili yozilgan QR kod',
  },
};
