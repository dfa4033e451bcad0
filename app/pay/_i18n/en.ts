/** The words of the payment page. Amounts and dates come in already formatted. */
export const en = {
  pageTitle: (merchant: string) => `Pay ${merchant}`,
  skipToPayment: 'Skip to payment',
  summary: {
    title: 'Your order',
    details: 'Order details',
    itemsTotal: 'Items',
    discount: 'Discount',
    surcharge: 'Surcharge',
    total: 'Total',
    payBy: 'Pay by',
    positions: (count: number) => (count === 1 ? '1 item' : `${count} items`),
  },
  time: {
    left: 'Time left to pay',
    milestones: {
      '600': 'You have 10 minutes left to pay.',
      '300': 'You have 5 minutes left to pay.',
      '60': 'You have 1 minute left to pay.',
      '0': 'The time to pay has run out.',
    },
  },
  form: {
    title: 'Pay by card',
    number: 'Card number',
    expiry: 'Expiry date',
    expiryHint: 'MM / YY',
    securityCode: 'Security code',
    securityCodeHint: '3 digits on the back',
    name: 'Name on card',
    paying: 'Paying…',
    payingStatus: 'Your payment is being made. Please wait.',
    stillPaying:
      'This takes longer than usual. Please keep this page open: you are charged at most once.',
    secure: 'Your card number and security code are sent encrypted and never stored.',
    problems: 'There is a problem',
  },
  faults: {
    number_missing: 'Enter the card number',
    number_characters: 'The card number may only have digits and spaces',
    number_length: 'The card number must have 12 to 19 digits',
    number_check: 'Check the card number: a digit seems to be wrong',
    number_test: 'This is a test. Use one of the test cards: a real card is never accepted here',
    expiry_missing: 'Enter the expiry date',
    expiry_format: 'Enter the expiry date as MM\u00a0/\u00a0YY, for example 08\u00a0/\u00a029',
    expiry_past: 'This card has expired. Check the date or use another card',
    securityCode_missing: 'Enter the security code',
    securityCode_format: 'The security code must have 3 digits, or 4 on some cards',
    name_missing: 'Enter the name on the card',
    name_length: 'The name may have at most 100 characters',
  },
  pay: (amount: string) => `Pay ${amount}`,
  backToShop: (merchant: string) => `Back to ${merchant}`,
  declined: {
    title: 'Your payment was not made',
    notCharged: 'You have not been charged.',
    card: (brand: string, last4: string) => `${brand} ending in ${last4}`,
    reasons: {
      generic_decline:
        'Your bank declined this card and gave no reason. Try another card, or ask your bank.',
      insufficient_funds:
        'There is not enough money on this card. Use another card, or top this one up and try again.',
      lost_card: 'Your bank does not allow payments with this card. Use another card.',
      expired_card:
        'Your bank says that this card has expired. Check the expiry date or use another card.',
      incorrect_cvc: 'The security code is not right. Check it and try again.',
      processing_error:
        'The bank could not process the payment just now. Try again in a minute, or use another card.',
      authentication_failed:
        'Your bank could not confirm that it was you. Try again, or use another card.',
      challenge_abandoned:
        'You left before you confirmed the payment with your bank. Try again when you are ready.',
      test_card_required:
        'This is a test. Use one of the test cards: a real card is never accepted here.',
    },
  },
  notices: {
    lost: 'The connection was lost. Check your internet and try again: you are charged at most once.',
    voided: 'The payment was stopped before any money moved. You can try again.',
    notStarted: 'Something went wrong on our side before the payment began. Please try again.',
    unclear:
      'We cannot tell yet what became of your payment. Reload this page before you pay again.',
    in_progress: 'Another payment for this order is under way, perhaps in another tab.',
    throttled:
      'Too many payments from your internet connection were declined, so this one has not begun. Try again in {minutes} min, or use another connection, such as mobile data.',
    outdated:
      'This page was updated after you opened it, so your payment has not begun. Reload the page, then pay.',
    reload: 'Reload the page',
  },
  openChallenge: {
    title: 'Your bank is waiting for you',
    text: 'You have not finished confirming your payment. Continue, or pay with another card below.',
    last: 'You have not finished confirming your last payment. You can still do so.',
    action: 'Continue to confirmation',
  },
  processing: {
    title: 'Your payment is being processed',
    text: 'Your bank is taking its time. This page changes by itself as soon as there is an answer.',
    keep: 'Please do not pay again. You can close this page: the shop is told as soon as the payment is complete.',
    check: 'Check again',
  },
  paid: {
    title: 'Payment complete',
    text: (amount: string, merchant: string) => `You paid ${amount} to ${merchant}.`,
    receipt: 'View receipt',
    continue: (merchant: string) => `Continue to ${merchant}`,
  },
  returns: {
    redirecting: (seconds: number) =>
      `You will be taken back to the shop in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
    redirectingPlain: (seconds: string) =>
      `You will be taken back to the shop after ${seconds} seconds.`,
    stay: 'Stay on this page',
    staying: 'You will stay on this page.',
  },
  expired: {
    title: 'The time to pay has run out',
    text: 'This payment link is no longer valid. To try again, go back to the shop and place the order once more.',
  },
  canceled: {
    title: 'This order was cancelled',
    text: (merchant: string) =>
      `${merchant} has cancelled this order, so it can no longer be paid.`,
  },
  closedNotCharged:
    'You have not been charged. If your bank shows a reserved amount, it is released by itself.',
  unavailable: {
    title: 'Card payment is not available yet',
    text: 'This shop cannot take card payments here at the moment. Please go back to the shop and choose another way to pay.',
  },
  tooMany: {
    title: 'Too many attempts',
    wait: (time: string) =>
      `This order has been tried too often. To protect you, the next try is possible at ${time}. Nothing was charged for the ones that were declined.`,
    over: 'This order has been tried too often and can no longer be paid. Go back to the shop and place it once more. Nothing was charged for the tries that were declined.',
  },
  unknown: {
    title: 'We cannot find this payment',
    text: 'Check that the link is complete. If you followed it from a shop, go back and try again, or ask the shop for a new link.',
  },
  trouble: {
    title: 'We cannot show your payment just now',
    text: 'The trouble is on our side. If you have just paid, do not pay again: reload this page in a minute to see what became of it.',
    again: 'Try again',
  },
  sandbox: {
    banner: 'Test payment',
    text: 'No money moves.',
    useTestCard: 'Use a test card.',
    cards: 'Test cards',
    hint: 'Any future expiry date, any security code, any name.',
    fill: (card: string) => `Fill in ${card}`,
    use: 'Use',
    outcomes: {
      approved: 'Approved',
      generic_decline: 'Declined, no reason given',
      insufficient_funds: 'Declined: insufficient funds',
      lost_card: 'Declined: lost card',
      expired_card: 'Declined: expired card',
      incorrect_cvc: 'Declined: wrong security code',
      processing_error: 'Declined: processing error',
      challenge_approved: '3-D Secure, to be approved',
      challenge_failed: 'Declined: 3-D Secure fails',
      challenge_abandoned: 'Declined: 3-D Secure is left',
      slow_approved: 'Approved after 40 seconds',
    },
  },
  challenge: {
    title: 'Confirm your payment',
    bank: 'Test bank',
    text: (amount: string, merchant: string) =>
      `Your bank wants to be sure that it is you who pays ${amount} to ${merchant}.`,
    test: {
      choose: 'This page stands in for your bank’s own. Choose what the bank is to answer.',
      fail: 'This page stands in for your bank’s own. This card stands for a check that fails, whatever you choose.',
      leave:
        'This page stands in for your bank’s own. This card stands for a buyer who leaves, whatever you choose.',
    },
    outdated:
      'This page was updated after you opened it, so your payment is not confirmed yet. Reload the page, then confirm.',
    card: 'Card',
    amount: 'Amount',
    merchant: 'Merchant',
    approve: 'Approve payment',
    fail: 'Fail authentication',
    leave: 'Leave without confirming',
  },
  receipt: {
    title: 'Receipt',
    test: 'Test receipt: no money was moved',
    number: 'Receipt number',
    merchant: 'Paid to',
    order: 'Order number',
    description: 'Description',
    paidAt: 'Paid on',
    card: 'Card',
    transaction: 'Payment reference',
    item: 'Item',
    amount: 'Amount',
    print: 'Print',
    pdf: 'Download PDF',
    undrawn:
      'Some characters cannot be shown in this file and appear as □. See the full receipt at:',
    busy: 'We cannot make the receipt just now. Please try again in a few seconds.',
    back: 'Back to payment',
  },
  qr: {
    title: 'Continue on your phone',
    text: 'Scan to open this payment on your phone.',
    alt: 'QR code with the address of this page',
  },
};

export type PayMessages = typeof en;
