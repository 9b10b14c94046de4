// Package handnet trains and measures the networks of package hand.
//
// # Labels
//
// A random deal is four hands. Dealt to the seats in all 24 orders, with the same leader and declaring side, it gives the deal network 24
// deals, in which each of the four hands sits in each of the four places six times, with the other three in every order. So 24 predictions
// give 16 labels: each hand in each place, over six deals of the other cards. The mean over the six orders varies less than that over six
// independent deals, because a good card that is once with the partner is at other times with the opponents.
//
// A label is the mean of the deal network's win probabilities. The outcome comes from the same predictions: deals of data sets with the
// goal value are grouped by what the deal network predicts of them, and a group stands for the outcomes that its deals had ([Outcomes]).
//
// One hand in 16, chosen by its suits, is never trained on ([HeldOut]).
package handnet
