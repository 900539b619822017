import * as paths from '@/shared/paths';

/* The screens of the Workspace. This list and the names of their files load with the first of them. */

const screens = {
  [paths.bill]: () => import('@/features/bills/page/BillPage'),
  [paths.bulkLookup]: () => import('@/features/bulklookup/FindManyPage'),
  [paths.today]: () => import('@/features/alerts/TodayPage'),
  [paths.emailSettings]: () => import('@/features/alerts/EmailSettingsPage'),
  [paths.openBills]: () => import('@/features/openbills/OpenBillsPage'),
  [paths.openBillsView]: () => import('@/features/openbills/OpenBillsPage'),
  [paths.callSheet]: () => import('@/features/openbills/CallSheetPage'),
  [paths.deposits]: () => import('@/features/deposits/DepositsPage'),
  [paths.remittances]: () => import('@/features/remittances/RemittancesPage'),
  [paths.remittance]: () => import('@/features/remittances/RemittancePage'),
  [paths.cases]: () => import('@/features/cases/QuestionsPage'),
  [paths.askNetwork]: () => import('@/features/cases/AskPage'),
  [paths.caseThread]: () => import('@/features/cases/QuestionPage'),
  [paths.reasonCodes]: () => import('@/features/reasoncodes/ReasonsPage'),
  [paths.bulkTins]: () => import('@/features/users/bulk/BulkTinsPage'),
  [paths.importUsers]: () => import('@/features/users/bulk/UsersFilePage'),
  [paths.team]: () => import('@/features/team/TeamPage'),
  [paths.accessReview]: () => import('@/features/accessreview/AccessReviewPage'),
  [paths.accessLog]: () => import('@/features/accesslog/VisitsPage'),
  [paths.desk]: () => import('@/features/desk/DeskPage'),
  [paths.deskBill]: async () => ({ default: (await import('@/features/bills/page/BillPage')).DeskBillPage }),
  [paths.deskRemittance]: async () => ({
    default: (await import('@/features/remittances/RemittancePage')).DeskRemittancePage,
  }),
  [paths.deskQueues]: () => import('@/features/desk/DeskQueuesPage'),
  [paths.deskRequests]: () => import('@/features/desk/DeskRequestsPage'),
  [paths.deskFailedEmails]: () => import('@/features/desk/DeskFailedEmailsPage'),
  [paths.deskJobs]: () => import('@/features/desk/DeskJobsPage'),
  [paths.deskDrafts]: () => import('@/features/desk/DeskDraftsPage'),
  [paths.deskCases]: () => import('@/features/cases/DeskQuestionsPage'),
  [paths.caseTimes]: () => import('@/features/cases/TimesPage'),
  [paths.deskCase]: () => import('@/features/cases/DeskQuestionPage'),
  [paths.deskGroups]: () => import('@/features/groups/desk/DeskGroupsPage'),
  [paths.deskReasons]: () => import('@/features/reasoncodes/DeskReasonsPage'),
  [paths.deskPayerContacts]: () => import('@/features/payercontacts/PayerContactsPage'),
  [paths.deskRosters]: () => import('@/features/rosters/DeskRostersPage'),
  [paths.deskHealth]: () => import('@/features/health/DeskHealthPage'),
  [paths.deskRetention]: () => import('@/features/health/DeskRetentionPage'),
  [paths.deskRules]: () => import('@/features/deadlines/DeskRulesPage'),
  [paths.deskAnnouncement]: () => import('@/features/announcements/DeskStatusPage'),
  [paths.deskFeeds]: () => import('@/features/feeds/DeskFeedsPage'),
  [paths.deskQuality]: () => import('@/features/feeds/DeskQualityPage'),
  [paths.deskUnmatched]: () => import('@/features/unmatchedpayments/UnmatchedPage'),
  [paths.deskReviews]: () => import('@/features/accessreview/DeskReviewsPage'),
  [paths.deskStaff]: () => import('@/features/cases/StaffRolesPage'),
};

/** Loads the module of the screen with this address. */
export const loadScreen = (path: string) => screens[path as keyof typeof screens]();
