import * as paths from '@/shared/paths';

/*
 * The screens for signed-in users, without those of the Workspace. Each loads when first opened,
 * and this list loads with the shell.
 */

const screens = {
  [paths.start]: () => import('./Home'),
  [paths.home]: () => import('./Home'),
  [paths.userProfile]: () => import('@/features/account/UserProfileScreen'),
  [paths.changePassword]: () => import('@/features/account/ChangePasswordScreen'),
  [paths.billSearch]: () => import('@/features/bills/BillSearchPage'),
  [paths.claimSearch]: () => import('@/features/claims/ClaimSearchPage'),
  [paths.providerResources]: () => import('@/features/resources/ProviderResourcesPage'),
  [paths.clientList]: () => import('@/features/clients/ClientListPage'),
  [paths.demographicSearch]: () => import('@/features/directory/DemographicSearchPage'),
  [paths.manageUsers]: () => import('@/features/users/ManageUsersPage'),
  [paths.manageTins]: () => import('@/features/tins/ManageTinsPage'),
  [paths.editProfile]: () => import('@/features/account/EditProfileScreen'),
  [paths.manageTinsForUser]: () => import('@/features/tins/ManageTinsForUserPage'),
  [paths.viewTins]: () => import('@/features/tins/ViewTinsPage'),
  [paths.addUser]: () => import('@/features/users/adding/AddUserPage'),
  [paths.wizardPerson]: () => import('@/features/users/adding/WizardPersonPage'),
  [paths.wizardTins]: () => import('@/features/users/adding/WizardTinsPage'),
  [paths.manageSources]: () => import('@/features/rosters/sources/ManageSourcesPage'),
  [paths.userSearch]: () => import('@/features/users/UserSearchPage'),
  [paths.notifications]: () => import('@/features/notifications/NotificationsPage'),
  [paths.manageRecipients]: () => import('@/features/notifications/ManageRecipientsPage'),
  [paths.feeSchedule]: () => import('@/features/feeschedules/FeeSchedulePage'),
  [paths.manageRosters]: () => import('@/features/rosters/ManageRostersPage'),
  [paths.manageGroups]: () => import('@/features/groups/ManageGroupsPage'),
  [paths.auditLog]: () => import('@/features/auditlog/AuditLogPage'),
  [paths.tinSharing]: () => import('@/features/tins/TinSharingPage'),
  [paths.signInAndSecurity]: () => import('@/features/account/SignInAndSecurityScreen'),
  [paths.manageNonNetworkTins]: () => import('@/features/tins/ManageNonNetworkTinsPage'),
  [paths.news]: () => import('@/features/content/NewsScreen'),
  [paths.logout]: () => import('@/features/sessions/LogoutScreen'),
};

/** Loads the module of the screen with this address. */
export const loadScreen = (path: string) => screens[path as keyof typeof screens]();
