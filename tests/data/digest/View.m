#import <Foundation/Foundation.h>
// @interface Commented
@interface View : NSObject
- (void)draw:(CGRect)rect;
+ (instancetype)shared;
@end
@implementation View
- (void)draw:(CGRect)rect { NSLog(@"- (void)fake {"); }
static int helper(int x) { return x; }
@end
